-- Takes a statement back that wrote records which do not meet a condition afterwards, and says which. A state of its own: it is no
-- signal to begin again, as that of take_back. Bound people alone send statements with it.
create function rowhouse.refuse(ids text[]) returns bigint language plpgsql stable as $$
begin
  raise exception 'records that do not meet a condition after the write: %', cardinality(ids)
    using errcode = 'RH003', detail = array_to_json(ids)::text;
end
$$;
