-- Owners are told of every limit that is nearly used up, not only of that of rows.
alter table rowhouse.limit_warnings add column limit_name text not null default 'maxRows';
alter table rowhouse.limit_warnings alter column limit_name drop default;
alter table rowhouse.limit_warnings drop constraint limit_warnings_pkey;
alter table rowhouse.limit_warnings add primary key (space_id, limit_name);
