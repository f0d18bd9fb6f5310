-- Access decisions are remembered with the sum of the epochs of what they rest on, the user and the space: see
-- docs/adr/0030-epochs.md. A row comes with the first change; without one the epoch is 0. They only grow, so
-- the sum is the same exactly as long as none has moved, and a row is never deleted. Half of each page is free, so that new
-- versions of a row find room beside the old ones.
create table rowhouse.epochs (
  id text primary key,
  epoch bigint not null
) with (fillfactor = 50);

alter table rowhouse.instance drop column epoch;
