-- Answers that a repeated request with the same Idempotency-Key gets again, for 24 hours.
create table rowhouse.idempotency_keys (
  owner text not null,
  key text not null,
  hash bytea not null,
  operation_id text,
  answer text,
  created_time timestamptz not null default now(),
  primary key (owner, key)
);
create index idempotency_keys_created on rowhouse.idempotency_keys (created_time);
