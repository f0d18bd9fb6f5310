-- Receivers who have got the e-mail of a step: an attempt after a failure goes to the others.
create table rowhouse.automation_emails (
  run bigint not null references rowhouse.automation_runs on delete cascade,
  path text not null,
  address text not null,
  primary key (run, path, address)
);
