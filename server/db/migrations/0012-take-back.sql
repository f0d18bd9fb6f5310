-- Takes the statement back in which it is evaluated. A state of its own: a formula may divide by zero, and that is no
-- signal between our statements. The argument keeps the planner from evaluating it beforehand.
create function rowhouse.take_back(count bigint) returns bigint language plpgsql stable as $$
begin
  raise exception 'rows changed between the look at them and their locks (%)', count using errcode = 'RH001';
end
$$;
