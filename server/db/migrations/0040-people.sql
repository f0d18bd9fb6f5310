-- What cells show of people. A view here; on a Citus cluster a table that every node has, so that a base's statement finds it
-- where the base is (db/citus.ts).
create view rowhouse.people as select id, name, email, avatar from rowhouse.users;
