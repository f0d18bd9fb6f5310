-- Bytes on disk of the bases of a space: records, history, what was deleted, indexes, and answers that are kept for
-- Idempotency-Key. Counted by a job, see server/domain/plan/count-bytes.ts.
create table rowhouse.space_bytes (
  space_id text primary key references rowhouse.spaces (id) on delete cascade,
  bytes bigint not null,
  counted_time timestamptz not null default now()
);

-- Answers go with their base. Those of before are gone after a day.
alter table rowhouse.idempotency_keys add column base_id text;
create index idempotency_keys_base on rowhouse.idempotency_keys (base_id);
