-- What the processes of an instance tell each other goes over a channel whose name cannot be guessed: every role that may connect can
-- listen and notify, those of SQL access to bases too, and PostgreSQL cannot forbid it. They cannot read this table.
alter table rowhouse.instance add column signal_channel text not null default 'rowhouse_' || replace(gen_random_uuid()::text, '-', '');
