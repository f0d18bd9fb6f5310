-- Who put somebody into a group: `hand` for people, `oidc:<issuer>` for a provider of OpenID Connect. Each takes away only what it has given.
alter table rowhouse.group_members add column sources text[] not null default '{}';
update rowhouse.group_members set sources = '{hand}' where is_direct;
alter table rowhouse.group_members
  add constraint group_members_source check (is_direct = (cardinality(sources) > 0));
