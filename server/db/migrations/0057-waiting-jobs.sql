-- How often a job has waited for something that passes, such as a lock, since its last step: the pauses between grow with it. Waiting is no try.
alter table rowhouse.jobs add column waits int not null default 0;
