-- What a share rests on, as those saw it who decided about it: its filter, and what says which cells the fields have that it names. While it rests on something
-- else, it shows no records. Null: decided as it is, when the next change begins.
alter table rowhouse.views add column decided jsonb;
-- Names the cells of a field: another one after a conversion that may have lost some of them.
alter table rowhouse.fields add column lineage text;

update rowhouse.views v set decided = '{"filter": {"filter": "held", "fields": {}}}'
from rowhouse.shares s where s.view_id = v.id and s.held_filter is not null and s.held_filter is distinct from v.filter;
alter table rowhouse.shares drop column held_filter;
