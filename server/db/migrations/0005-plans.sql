-- Plans, subscriptions, the exact use of rows, credit, the rate of requests, and SQL access to bases.

-- What the file of plans last said about a level, so that a subscription outlives the removal of its product.
create table rowhouse.plan_products (
  level text primary key,
  product jsonb not null,
  is_offered boolean not null default true
);

-- A space without a row has the free plan since it was created. `effective_level` is the level whose limits
-- apply; `due_time` is when time alone will change the status next.
create table rowhouse.subscriptions (
  space_id text primary key references rowhouse.spaces on delete cascade,
  level text not null,
  effective_level text not null,
  price_id text not null,
  interval text not null check (interval in ('month', 'year')),
  unit_amount bigint not null,
  quantity int not null check (quantity > 0),
  status text not null,
  anchor_time timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  started_time timestamptz not null,
  trial_end timestamptz,
  is_trial_used boolean not null default false,
  cancel_time timestamptz,
  past_due_since timestamptz,
  due_time timestamptz,
  provider text check (provider in ('stripe')),
  provider_id text,
  provider_created timestamptz,
  provider_reading bigint not null default 0
);
create index subscriptions_due on rowhouse.subscriptions (due_time) where due_time is not null;

-- Whom bills go to, and who they are to the payment provider.
create table rowhouse.billing_accounts (
  space_id text primary key references rowhouse.spaces on delete cascade,
  name text,
  email text,
  stripe_customer_id text
);

-- Numbers the readings of a subscription at the payment provider: the one that began last counts.
create sequence rowhouse.provider_readings;

-- The sum of `used` is the number of records of a space that are not in the trash. Writers take from a slot of
-- their own connection, so that they do not queue behind one row; the sum of `cap` is at most the limit.
create table rowhouse.row_quota (
  space_id text not null references rowhouse.spaces on delete cascade,
  slot smallint not null,
  used bigint not null default 0,
  cap bigint not null default 0,
  primary key (space_id, slot)
) with (fillfactor = 50);

insert into rowhouse.row_quota (space_id, slot) select s.id, n from rowhouse.spaces s, generate_series(0, 63) n;

do $$
declare
  found record;
  counted bigint;
begin
  for found in
    select t.base_id, t.db_table_name, b.space_id from rowhouse.tables t join rowhouse.bases b on b.id = t.base_id
    where t.deleted_time is null and b.deleted_time is null
  loop
    execute format('select count(*) from %I.%I', found.base_id, found.db_table_name) into counted;
    update rowhouse.row_quota set used = used + counted where space_id = found.space_id and slot = 0;
  end loop;
end $$;

create table rowhouse.credit_accounts (
  space_id text primary key references rowhouse.spaces on delete cascade,
  amount bigint not null default 0,
  used_amount bigint not null default 0,
  check (used_amount between 0 and amount)
);

-- `reference` makes a grant happen once: a gift of a level, a payment.
create table rowhouse.credit_entries (
  id bigint generated always as identity primary key,
  space_id text not null references rowhouse.spaces on delete cascade,
  kind text not null check (kind in ('grant', 'use')),
  amount bigint not null check (amount > 0),
  reason text not null,
  reference text,
  created_by text,
  created_time timestamptz not null default now(),
  unique (space_id, reference)
);

-- Requests that processes have drawn for a credential and second. Lost in a crash, which is no loss.
create unlogged table rowhouse.rate_points (
  key text primary key,
  second bigint not null,
  taken int not null
) with (fillfactor = 50);

create table rowhouse.base_connections (
  base_id text primary key references rowhouse.bases on delete cascade,
  role_name text not null unique,
  created_by text not null,
  created_time timestamptz not null default now()
);
