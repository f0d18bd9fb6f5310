-- What formulas call. Every function is total: what cannot be computed gives null, and nothing raises. Those that catch
-- cannot run in parallel workers before PostgreSQL 17, which refuses subtransactions there: they stay parallel unsafe.

-- Numbers. The quick cases stand in the expressions themselves; these are for what could be out of range.

create function rowhouse.plus(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  return a + b;
exception when others then
  return null;
end $$;

create function rowhouse.minus(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  return a - b;
exception when others then
  return null;
end $$;

-- Too small to be told from zero is zero; too large is null.
create function rowhouse.times(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  return a * b;
exception when others then
  return case when a <> 0 and b <> 0 and ln(abs(a)) + ln(abs(b)) < 0 then 0 end;
end $$;

create function rowhouse.divide(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  return a / b;
exception when others then
  return case when a <> 0 and b <> 0 and ln(abs(a)) - ln(abs(b)) < 0 then 0 end;
end $$;

-- The sign is that of a. By way of text, because a double becomes a numeric of 15 digits otherwise.
create function rowhouse.remainder(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  return mod(a::text::numeric, b::text::numeric)::double precision;
exception when others then
  return null;
end $$;

-- The sign is that of b.
create function rowhouse.modulo(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
declare
  divisor numeric := b::text::numeric;
  rest numeric;
begin
  rest := mod(a::text::numeric, divisor);
  return case when rest <> 0 and sign(rest) <> sign(divisor) then rest + divisor else rest end::double precision;
exception when others then
  return null;
end $$;

create function rowhouse.power_of(a double precision, b double precision) returns double precision language plpgsql immutable strict as $$
begin
  return nullif(power(a, b), 'NaN');
exception when others then
  return case when a <> 0 and (a > 0 or b = trunc(b)) and sign(ln(abs(a))) * sign(b) < 0 then 0 end;
end $$;

create function rowhouse.exponential(a double precision) returns double precision language plpgsql immutable strict as $$
begin
  return exp(a);
exception when others then
  return case when a < 0 then 0 end;
end $$;

create function rowhouse.logarithm(a double precision, base double precision) returns double precision language plpgsql immutable strict as $$
begin
  -- log10 is exact for powers of ten, a quotient of logarithms is not.
  if base = 10 then return log(a); end if;
  return (ln(a::text::numeric) / ln(base::text::numeric))::double precision;
exception when others then
  return null;
end $$;

-- To `places` decimal places, in decimal: 1.005 has its half although the double is a little less. `mode`: half (towards
-- positive infinity), up (away from zero), down (towards zero), ceiling, floor.
create function rowhouse.round_to(a double precision, places double precision, mode text) returns double precision language plpgsql immutable strict as $$
declare
  exact numeric := a::text::numeric;
  digits int := least(greatest(trunc(places), -310), 330)::int;
  unit numeric := case when digits >= 0 then ('1e-' || digits)::numeric else ('1e' || -digits)::numeric end;
begin
  -- The cast stands here: one on the way out of the function would not be caught.
  return (case mode
    when 'half' then floor(exact / unit + 0.5)
    when 'up' then sign(exact) * ceil(abs(exact) / unit)
    when 'down' then sign(exact) * floor(abs(exact) / unit)
    when 'ceiling' then ceil(exact / unit)
    else floor(exact / unit)
  end * unit)::double precision;
exception when others then
  return null;
end $$;

-- Away from zero to the next even (rest 0) or odd (rest 1) number.
create function rowhouse.next_parity(a double precision, rest int) returns double precision language plpgsql immutable strict as $$
declare
  whole numeric := ceil(abs(a::text::numeric));
begin
  if mod(whole, 2) <> rest then whole := whole + 1; end if;
  return (case when a < 0 then -whole else whole end)::double precision;
exception when others then
  return null;
end $$;

create function rowhouse.number_of(t text) returns double precision language plpgsql immutable strict as $$
begin
  if t ~ '^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$' then return btrim(t, E' \t\n\r\f\v')::double precision; end if;
  return null;
exception when others then
  return null;
end $$;

-- "1,234.50 EUR" is 1234.5: what is neither a digit nor a sign nor a point is left out, unless the text is a number as it is.
create function rowhouse.number_in(t text) returns double precision language plpgsql immutable strict as $$
begin
  if t ~ '^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$' then return rowhouse.number_of(t); end if;
  return rowhouse.number_of(regexp_replace(t, '[^0-9.+-]', '', 'g'));
end $$;

-- As JavaScript writes it: digits from 1e-6 up to 1e21, beyond that an exponent.
create function rowhouse.number_text(a double precision) returns text language plpgsql immutable strict parallel safe as $$
begin
  if a = 0 then return '0'; end if;
  if abs(a) >= 1e21 or abs(a) < 1e-6 then return regexp_replace(a::text, 'e([+-])0*', 'e\1'); end if;
  return trim_scale(a::text::numeric)::text;
end $$;

-- Text.

create function rowhouse.find_text(what text, t text, start double precision) returns double precision language plpgsql immutable strict parallel safe as $$
declare
  skipped int := least(greatest(trunc(start), 1), 1000000)::int - 1;
  at int := strpos(substr(t, skipped + 1), what);
begin
  return case when at = 0 or (what = '' and skipped > length(t)) then 0 else at + skipped end;
end $$;

-- The first 100,000 characters of what it gives: pieces beyond that are not put together at all.
create function rowhouse.substitute(t text, former text, latter text, nth double precision) returns text language plpgsql immutable parallel safe as $$
declare
  pieces text[];
  at int;
begin
  if t is null or coalesce(former, '') = '' or nth < 1 then return t; end if;
  pieces := string_to_array(t, former);
  latter := coalesce(latter, '');
  if nth is null then
    at := 2 + 100000 / greatest(length(latter), 1);
    return left(array_to_string(pieces[1:at], latter) || case when at < cardinality(pieces) then latter || array_to_string(pieces[at + 1:at + 1], latter) else '' end, 100000);
  end if;
  if nth >= cardinality(pieces) then return t; end if;
  at := trunc(nth)::int;
  return left(array_to_string(pieces[1:at], former) || latter || array_to_string(pieces[at + 1:], former), 100000);
end $$;

-- All matches. Null when the pattern is none, or when the result would take too much memory.
create function rowhouse.replace_pattern(t text, pattern text, latter text) returns text language plpgsql immutable strict as $$
declare
  groups int := regexp_count(latter, '\\[0-9&]');
begin
  if length(t)::bigint * (1 + groups) + regexp_count(t, pattern)::bigint * length(latter) > 5000000 then return null; end if;
  return left(regexp_replace(t, pattern, latter, 'g'), 100000);
exception when others then
  return null;
end $$;

-- Run by run: letters that stay, and bytes that become %XX.
create function rowhouse.url_component(t text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return (
    select left(string_agg(case when run ~ '^[A-Za-z0-9_.!~*''()-]' then run else regexp_replace(upper(encode(convert_to(run, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by at), 100000)
    from regexp_matches(left(t, 100000), '[A-Za-z0-9_.!~*''()-]+|[^A-Za-z0-9_.!~*''()-]+', 'g') with ordinality as found(runs, at), unnest(runs) as run
  );
end $$;

-- Up to the nth time that `mark` occurs; negative: counted from the end. Null when it does not occur as often.
create function rowhouse.text_before(t text, mark text, nth double precision, ignore_case boolean, match_end boolean) returns text language plpgsql immutable strict parallel safe as $$
declare
  n int := least(greatest(trunc(nth), -1000000), 1000000)::int;
  source text := case when ignore_case then lower(t) else t end;
  wanted text := case when ignore_case then lower(mark) else mark end;
  pieces text[];
  marks int;
begin
  if n = 0 or length(source) <> length(t) then return null; end if;
  if wanted = '' then return case when n > 0 then '' else t end; end if;
  pieces := string_to_array(source, wanted);
  marks := cardinality(pieces) - case when match_end then 0 else 1 end;
  if n < 0 then n := marks + 1 + n; end if;
  return case when n between 1 and marks then left(t, length(array_to_string(pieces[1:n], wanted))) end;
end $$;

-- A mark of more than 100 characters has to be found as it is written: as a pattern it would be too large.
create function rowhouse.text_split(t text, mark text, ignore_empty boolean, ignore_case boolean) returns jsonb language plpgsql immutable strict parallel safe as $$
declare
  pieces text[] := case when mark = '' then array[t] when ignore_case and length(mark) <= 100 then regexp_split_to_array(t, '***=' || mark, 'i') else string_to_array(t, mark) end;
begin
  return (select jsonb_agg(piece order by at) from (select piece, at from unnest(pieces) with ordinality as p(piece, at) where piece <> '' or not ignore_empty order by at limit 10000) x);
end $$;

-- Dates. A result outside of the years 1 to 9999 is null: neither ISO text nor a date field holds it.

create function rowhouse.in_range(d timestamptz) returns timestamptz language plpgsql immutable strict parallel safe as $$
begin
  return case when d >= '0001-01-01 00:00:00+00' and d < '10000-01-01 00:00:00+00' then date_trunc('milliseconds', d, 'UTC') end;
end $$;

-- The names of units, as people write them. A lone m is a minute, a lone M a month.
create function rowhouse.date_unit(name text) returns text language sql immutable strict parallel safe as $$
  select case
    when name in ('M', 'Q') then case name when 'M' then 'month' else 'quarter' end
    else case regexp_replace(lower(btrim(name)), '(..)s$', '\1')
      when 'ms' then 'millisecond' when 'millisecond' then 'millisecond'
      when 's' then 'second' when 'sec' then 'second' when 'second' then 'second'
      when 'm' then 'minute' when 'min' then 'minute' when 'minute' then 'minute'
      when 'h' then 'hour' when 'hr' then 'hour' when 'hour' then 'hour'
      when 'd' then 'day' when 'day' then 'day'
      when 'w' then 'week' when 'week' then 'week'
      when 'month' then 'month' when 'quarter' then 'quarter'
      when 'y' then 'year' when 'year' then 'year'
    end
  end
$$;

create function rowhouse.instant(y int, mo int, d int, h int, mi int, s double precision, utc_offset text, zone text) returns timestamptz language plpgsql immutable as $$
declare
  wall timestamp;
begin
  if h > 23 or mi > 59 or s >= 60 then return null; end if;
  wall := make_timestamp(y, mo, d, h, mi, s);
  if utc_offset is null then return rowhouse.in_range(wall at time zone zone); end if;
  if upper(utc_offset) in ('Z', 'UTC', 'GMT') then return rowhouse.in_range(wall at time zone 'UTC'); end if;
  return rowhouse.in_range((wall at time zone 'UTC')
    - (case when left(utc_offset, 1) = '-' then -1 else 1 end) * make_interval(hours => substr(utc_offset, 2, 2)::int, mins => right(utc_offset, 2)::int));
exception when others then
  return null;
end $$;

-- What PostgreSQL itself reads as a date: "Jan 5, 2024 10:00". Not its words for the present, which would be volatile.
create function rowhouse.other_date(t text, zone text) returns timestamptz language plpgsql immutable strict set timezone to 'UTC' set datestyle to 'ISO, MDY' as $$
begin
  if length(t) > 60 or t !~ '\d' or t ~* '(now|today|tomorrow|yesterday|epoch|allballs|infinity)' then return null; end if;
  -- Both are equal unless the text names a zone; what names UTC looks as if it named none.
  if t::timestamptz <> t::timestamp at time zone 'UTC' or t ~* '(z|utc|gmt)\s*$' then return rowhouse.in_range(t::timestamptz); end if;
  return rowhouse.in_range(t::timestamp at time zone zone);
exception when others then
  return null;
end $$;

-- ISO text with an offset is an instant, without one it is in `zone`.
create function rowhouse.date_of(t text, zone text) returns timestamptz language plpgsql immutable strict as $$
declare
  m text[] := regexp_match(left(t, 100), '^\s*(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:(?:\s*T|\s+)(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d{1,9})?))?)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?\s*$', 'i');
begin
  if m is null then return rowhouse.other_date(t, zone); end if;
  return rowhouse.instant(m[1]::int, coalesce(m[2], '1')::int, coalesce(m[3], '1')::int, coalesce(m[4], '0')::int, coalesce(m[5], '0')::int,
    coalesce(replace(m[6], ',', '.'), '0')::double precision, m[7], zone);
exception when others then
  return null;
end $$;

-- Tokens: YYYY YY M MM MMM MMMM D DD d dd ddd dddd H HH h hh m mm s ss SSS A a Z ZZ, [text as it is].
create function rowhouse.format_date(d timestamptz, form text, zone text) returns text language plpgsql immutable strict as $$
declare
  wall timestamp := d at time zone zone;
  ahead interval := wall - (d at time zone 'UTC');
  result text := '';
  part text;
begin
  for part in select x[1] from regexp_matches(left(form, 1000), '\[[^\]]*\]|Y{4}|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|ZZ?|A|a|.', 'gs') as x loop
    result := result || case
      when part = 'd' then extract(dow from wall)::text
      when part = 'dd' then left(to_char(wall, 'Dy'), 2)
      when part in ('Z', 'ZZ') then case when ahead < '0' then '-' else '+' end || to_char(case when ahead < '0' then -ahead else ahead end, case part when 'Z' then 'HH24:MI' else 'HH24MI' end)
      when part like '[%]' then substr(part, 2, length(part) - 2)
      else case part
        when 'YYYY' then to_char(wall, 'YYYY') when 'YY' then to_char(wall, 'YY')
        when 'M' then to_char(wall, 'FMMM') when 'MM' then to_char(wall, 'MM') when 'MMM' then to_char(wall, 'Mon') when 'MMMM' then to_char(wall, 'FMMonth')
        when 'D' then to_char(wall, 'FMDD') when 'DD' then to_char(wall, 'DD') when 'ddd' then to_char(wall, 'Dy') when 'dddd' then to_char(wall, 'FMDay')
        when 'H' then to_char(wall, 'FMHH24') when 'HH' then to_char(wall, 'HH24') when 'h' then to_char(wall, 'FMHH12') when 'hh' then to_char(wall, 'HH12')
        when 'm' then to_char(wall, 'FMMI') when 'mm' then to_char(wall, 'MI') when 's' then to_char(wall, 'FMSS') when 'ss' then to_char(wall, 'SS')
        when 'SSS' then to_char(wall, 'MS') when 'A' then to_char(wall, 'AM') when 'a' then to_char(wall, 'am')
        else part
      end
    end;
  end loop;
  return result;
exception when others then
  return null;
end $$;

-- The same tokens, read. What the format leaves out is the first of its kind; a year has to be there.
create function rowhouse.parse_date(t text, form text, zone text) returns timestamptz language plpgsql immutable strict as $$
declare
  pattern text := '';
  names text[] := array[]::text[];
  part text;
  m text[];
  y int; mo int := 1; d int := 1; h int := 0; mi int := 0; s int := 0; ms int := 0; utc_offset text; half text;
begin
  for part in select x[1] from regexp_matches(left(form, 1000), '\[[^\]]*\]|Y{4}|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|ZZ?|A|a|\s+|.', 'gs') as x loop
    if part ~ '^(Y{4}|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|ZZ?|A|a)$' then
      names := names || part;
      pattern := pattern || case
        when part = 'YYYY' then '(\d{4})' when part = 'YY' then '(\d{2})' when part = 'SSS' then '(\d{3})'
        when part in ('MMM', 'MMMM', 'dd', 'ddd', 'dddd') then '([A-Za-z]+)'
        when part in ('Z', 'ZZ') then '(Z|[+-]\d{2}:?\d{2})'
        when part in ('A', 'a') then '([AaPp][Mm])'
        when part = 'd' then '(\d)'
        else '(\d{1,2})'
      end;
    elsif part ~ '^\s' then
      pattern := pattern || '\s+';
    else
      pattern := pattern || regexp_replace(case when part like '[%]' then substr(part, 2, length(part) - 2) else part end, '([^A-Za-z0-9\s])', '\\\1', 'g');
    end if;
  end loop;
  m := regexp_match(left(t, 1000), '^\s*' || pattern || '\s*$');
  if m is null then return null; end if;
  for at in 1..cardinality(names) loop
    case names[at]
      when 'YYYY' then y := m[at];
      when 'YY' then y := m[at]::int + case when m[at]::int > 68 then 1900 else 2000 end;
      when 'M', 'MM' then mo := m[at];
      when 'MMM', 'MMMM' then
        mo := (strpos('janfebmaraprmayjunjulaugsepoctnovdec', lower(left(m[at], 3))) + 2) / 3;
        if length(m[at]) < 3 or lower(to_char(make_date(2000, mo, 1), 'FMMonth')) not like lower(m[at]) || '%' then return null; end if;
      when 'D', 'DD' then d := m[at];
      when 'H', 'HH' then h := m[at];
      when 'h', 'hh' then
        h := m[at];
        if h not between 1 and 12 then return null; end if;
      when 'm', 'mm' then mi := m[at];
      when 's', 'ss' then s := m[at];
      when 'SSS' then ms := m[at];
      when 'Z', 'ZZ' then utc_offset := m[at];
      when 'A', 'a' then half := lower(m[at]);
      else null;
    end case;
  end loop;
  if half is not null then h := h % 12 + case half when 'pm' then 12 else 0 end; end if;
  return rowhouse.instant(y, mo, d, h, mi, s + ms / 1000.0, utc_offset, zone);
exception when others then
  return null;
end $$;

-- Days and longer on the clock of the wall: the time of day stays, also when the clocks change in between.
create function rowhouse.date_add(d timestamptz, n double precision, unit text, zone text) returns timestamptz language plpgsql immutable strict as $$
declare
  wall timestamp := d at time zone zone;
begin
  case unit
    when 'millisecond' then return rowhouse.in_range(d + n * interval '1 millisecond');
    when 'second' then return rowhouse.in_range(d + n * interval '1 second');
    when 'minute' then return rowhouse.in_range(d + n * interval '1 minute');
    when 'hour' then return rowhouse.in_range(d + n * interval '1 hour');
    when 'day' then wall := wall + make_interval(days => round(n::numeric)::int);
    when 'week' then wall := wall + make_interval(days => round(n::numeric * 7)::int);
    when 'month' then wall := wall + make_interval(months => trunc(n)::int);
    when 'quarter' then wall := wall + make_interval(months => 3 * trunc(n)::int);
    when 'year' then wall := wall + make_interval(months => 12 * trunc(n)::int);
  end case;
  return rowhouse.in_range(wall at time zone zone);
exception when others then
  return null;
end $$;

-- a - b in months, with the part of the month that is left over. Counted from the later day of a month, so that the way
-- back is as long as the way there.
create function rowhouse.month_diff(a timestamp, b timestamp) returns double precision language plpgsql immutable strict parallel safe as $$
declare
  whole int := (extract(year from b) - extract(year from a)) * 12 + extract(month from b) - extract(month from a);
  anchor timestamp := a + make_interval(months => whole);
  next timestamp := a + make_interval(months => whole + case when b < anchor then -1 else 1 end);
begin
  if extract(day from a) < extract(day from b) then return -rowhouse.month_diff(b, a); end if;
  return -(whole + extract(epoch from (b - anchor))::double precision / abs(extract(epoch from (next - anchor)))::double precision);
end $$;

create function rowhouse.date_diff(a timestamptz, b timestamptz, unit text, zone text) returns double precision language plpgsql immutable strict parallel safe as $$
declare
  seconds double precision := extract(epoch from (a - b));
  wall double precision := extract(epoch from (a at time zone zone) - (b at time zone zone));
begin
  return case unit
    when 'millisecond' then seconds * 1000 when 'second' then seconds when 'minute' then seconds / 60 when 'hour' then seconds / 3600
    when 'day' then wall / 86400 when 'week' then wall / 604800
    when 'month' then rowhouse.month_diff(a at time zone zone, b at time zone zone)
    when 'quarter' then rowhouse.month_diff(a at time zone zone, b at time zone zone) / 3
    when 'year' then rowhouse.month_diff(a at time zone zone, b at time zone zone) / 12
  end;
end $$;

-- The beginning of the unit, on the clock of the wall. Weeks begin on Sunday.
create function rowhouse.date_floor(d timestamptz, unit text, zone text) returns timestamp language plpgsql immutable strict parallel safe as $$
declare
  wall timestamp := d at time zone zone;
begin
  return case when unit = 'week' then date_trunc('day', wall) - make_interval(days => extract(dow from wall)::int) else date_trunc(unit, wall) end;
end $$;

-- Weeks begin on Sunday, and the one with January 1 in it is the first.
create function rowhouse.week_number(wall timestamp) returns double precision language plpgsql immutable strict parallel safe as $$
declare
  saturday date := wall::date + (6 - extract(dow from wall))::int;
begin
  return (extract(doy from saturday)::int + 6) / 7;
end $$;

-- "2024-12-25, 2024-12-26": the working days among them, each once.
create function rowhouse.holidays_in(t text) returns date[] language plpgsql immutable as $$
declare
  m text;
  day date;
  days date[] := array[]::date[];
begin
  for m in select x[1] from regexp_matches(coalesce(t, ''), '\d{4}-\d{1,2}-\d{1,2}', 'g') as x limit 10000 loop
    begin
      day := m::date;
      if extract(isodow from day) < 6 then days := days || day; end if;
    exception when others then
      null;
    end;
  end loop;
  return array(select distinct unnest(days) order by 1);
end $$;

-- How many working days there are from `a` to `b`, both included, before any holidays. a <= b.
create function rowhouse.weekdays_between(a date, b date) returns int language sql immutable strict parallel safe as $$
  select (b - a + 1) / 7 * 5 + (select count(*)::int from generate_series(0, (b - a + 1) % 7 - 1) as n where extract(isodow from a + n) < 6)
$$;

-- The nth working day after (before) the date, at the same time of day.
create function rowhouse.workday(d timestamptz, n double precision, holidays text, zone text) returns timestamptz language plpgsql immutable as $$
declare
  wall timestamp := d at time zone zone;
  first date := wall;
  day date := wall;
  way int := case when n < 0 then -1 else 1 end;
  steps int;
  off date;
begin
  if d is null or n is null then return null; end if;
  -- Not above, where what is raised would not be caught.
  steps := trunc(n);
  if steps <> 0 then
    -- A start on a weekend is as good as the Friday before it (the Monday after it, on the way back).
    while extract(isodow from day) >= 6 loop day := day - way; end loop;
    day := day + steps / 5 * 7;
    for i in 1..abs(steps % 5) loop
      day := day + way;
      while extract(isodow from day) >= 6 loop day := day + way; end loop;
    end loop;
    for off in select h from unnest(rowhouse.holidays_in(holidays)) as h order by case when way > 0 then h end, h desc loop
      if (way > 0 and off > first and off <= day) or (way < 0 and off < first and off >= day) then
        day := day + way;
        while extract(isodow from day) >= 6 loop day := day + way; end loop;
      end if;
    end loop;
  end if;
  return rowhouse.in_range((wall + make_interval(days => day - first)) at time zone zone);
exception when others then
  return null;
end $$;

-- Working days from `a` to `b`, both included; negative when b is earlier.
create function rowhouse.workday_diff(a timestamptz, b timestamptz, holidays text, zone text) returns double precision language plpgsql immutable as $$
declare
  one date := a at time zone zone;
  other date := b at time zone zone;
  early date := least(one, other);
  late date := greatest(one, other);
begin
  if a is null or b is null then return null; end if;
  return (rowhouse.weekdays_between(early, late) - (select count(*) from unnest(rowhouse.holidays_in(holidays)) as h where h between early and late))
    * case when other < one then -1 else 1 end;
exception when others then
  return null;
end $$;

-- Lists: jsonb arrays of texts, numbers, booleans or ISO dates. Null when nothing is in it; at most 10,000 items.

-- Without nulls; `what` is all, filled (also without empty texts) or unique (the first of equal ones).
create function rowhouse.list_part(items jsonb, what text) returns jsonb language plpgsql immutable strict as $$
begin
  return (select jsonb_agg(e order by at) from (
    select e, min(at) as at from jsonb_array_elements(items) with ordinality as item(e, at)
    where e <> 'null' and (what <> 'filled' or e <> '""')
    group by e, case when what <> 'unique' then at end order by min(at) limit 10000) kept);
exception when others then
  return null;
end $$;

create function rowhouse.list_texts(items jsonb) returns jsonb language plpgsql immutable strict as $$
begin
  return (select jsonb_agg(e #>> '{}' order by at) from (select e, at from jsonb_array_elements(items) with ordinality as item(e, at) where e <> 'null' order by at limit 10000) x);
exception when others then
  return null;
end $$;

create function rowhouse.list_numbers(items jsonb) returns jsonb language plpgsql immutable strict as $$
begin
  return (select jsonb_agg(number order by at) from (
    select case jsonb_typeof(e) when 'number' then e when 'boolean' then case when e = 'true' then '1'::jsonb else '0' end else to_jsonb(rowhouse.number_of(e #>> '{}')) end as number, at
    from jsonb_array_elements(items) with ordinality as item(e, at) where e <> 'null' order by at limit 10000) x where number <> 'null');
exception when others then
  return null;
end $$;

create function rowhouse.list_text(items jsonb, separator text) returns text language plpgsql immutable strict as $$
begin
  return (select left(string_agg(left(e #>> '{}', 100000), separator order by at), 100000) from (
    select e, at, sum(length(e #>> '{}') + length(separator)) over (order by at) - length(e #>> '{}') as before
    from jsonb_array_elements(items) with ordinality as item(e, at) where e <> 'null') x where before < 100000 + 2 * length(separator));
exception when others then
  return null;
end $$;

-- In numeric, where the order does not matter.
create function rowhouse.list_sum(items jsonb) returns double precision language plpgsql immutable strict as $$
begin
  return (select coalesce(sum(e::text::numeric), 0) from jsonb_array_elements(items) as item(e) where jsonb_typeof(e) = 'number')::double precision;
exception when others then
  return null;
end $$;

create function rowhouse.list_average(items jsonb) returns double precision language plpgsql immutable strict as $$
begin
  return (select sum(case when jsonb_typeof(e) = 'number' then e::text::numeric else 0 end) / count(*) from jsonb_array_elements(items) as item(e))::double precision;
exception when others then
  return null;
end $$;
