-- The highest part of the limit of rows, in percent, that the owners of a space were told to have reached.
create table rowhouse.limit_warnings (
  space_id text primary key references rowhouse.spaces on delete cascade,
  percent int not null
);
