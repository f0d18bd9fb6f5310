-- Pictures whose width and height nobody could tell when they came, because the library that reads pictures could not be loaded or the storage did not answer. A
-- job measures them later. Until this version the library was never loaded on a server that had been built, so every picture without a width is one of them.
alter table rowhouse.files add column is_unmeasured boolean not null default false;
update rowhouse.files set is_unmeasured = true where notified_time is not null and width is null and mimetype like 'image/%';
create index files_unmeasured on rowhouse.files (token) where is_unmeasured;
