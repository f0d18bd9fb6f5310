-- The filter that a share had before a change of fields took conditions from its view. While the view has another one, the share shows no records: nobody
-- has decided that visitors may see those that the lost conditions kept from them. Null: nothing was lost, or somebody has decided since.
alter table rowhouse.shares add column held_filter jsonb;
