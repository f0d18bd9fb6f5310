-- A delivery knows whether it is the first in its lane that waits, so that what may be sent next is read from an index, however much stands behind.
alter table rowhouse.webhook_deliveries add column lane text, add column is_first boolean not null default false;
update rowhouse.webhook_deliveries d set lane = coalesce(
  (select l.lane from rowhouse.webhook_lanes l where l.delivery = d.seq), d.record_id, d.table_id,
  case when d.event = 'webhook.test' then d.id else (select w.base_id from rowhouse.webhooks w where w.id = d.webhook_id) end);
alter table rowhouse.webhook_deliveries alter column lane set not null;
drop table rowhouse.webhook_lanes;

create index webhook_deliveries_lane on rowhouse.webhook_deliveries (webhook_id, lane, seq) where state = 'waiting';
update rowhouse.webhook_deliveries d set is_first = true where state = 'waiting' and not exists (
  select from rowhouse.webhook_deliveries e where e.webhook_id = d.webhook_id and e.lane = d.lane and e.state = 'waiting' and e.seq < d.seq);
drop index rowhouse.webhook_deliveries_waiting;
create index webhook_deliveries_due on rowhouse.webhook_deliveries (webhook_id, due_time, seq) where state = 'waiting' and is_first;
