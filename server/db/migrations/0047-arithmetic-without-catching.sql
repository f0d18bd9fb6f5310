-- Arithmetic that tells beforehand what would be out of range, where it used to try and catch: a subtransaction takes longer, and on a Citus cluster there can be none
-- while the rows of an insert are on their way. Near the limits the operands are scaled by powers of two (2^512 = 1.3407807929942597e154), which changes no digit: what
-- is told is what would happen.

create or replace function rowhouse.plus(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  -- Less than half of the last digit of the largest number.
  if least(abs(a), abs(b)) < 1e291 then return a + b; end if;
  return case when abs(a / 4 + b / 4) <= 1.7976931348623157e308::double precision / 4 then a + b end;
end $$;

create or replace function rowhouse.minus(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  return rowhouse.plus(a, -b);
end $$;

-- Too small to be told from zero is zero; too large is null.
create or replace function rowhouse.times(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
declare
  size double precision;
begin
  if a = 0 or b = 0 then return a * b; end if;
  size := log(abs(a)) + log(abs(b));
  if size > 300 then return case when abs((a / 1.3407807929942597e154) * (b / 1.3407807929942597e154)) < 1 then a * b end; end if;
  -- 2^-51: half of the smallest number there is.
  if size < -330 or size < -300 and abs((a * 1.3407807929942597e154) * (b * 1.3407807929942597e154)) <= 4.440892098500626e-16 then return 0; end if;
  return a * b;
end $$;

create or replace function rowhouse.divide(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
declare
  size double precision;
begin
  if b = 0 then return null; end if;
  if a = 0 then return a / b; end if;
  size := log(abs(a)) - log(abs(b));
  if size > 330 then return null; end if;
  if size > 300 then return case when abs((a / 1.3407807929942597e154) / (b * 1.3407807929942597e154)) < 1 then a / b end; end if;
  if size < -330 or size < -300 and abs((a * 1.3407807929942597e154) / (b / 1.3407807929942597e154)) <= 4.440892098500626e-16 then return 0; end if;
  return a / b;
end $$;
