import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../../../../test/support/cases.ts';
import { createDatabase } from '../../../../test/support/world.ts';
import { compile, sql } from '../../../db/sql.ts';
import { rounded } from './number.sql.ts';

let client: pg.Client;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await drop();
});

/** Around halves of the last digit, a step up and down, and anywhere; of every size, of both signs. */
const numbers = `select sign * n as n from (values (1), (-1)) s(sign), (
    select (k + 0.5) / 10 ^ d + e * (k + 0.5) / 10 ^ d * 2.220446049250313e-16 as n
      from generate_series(0, 8) d, (select power(10, x / 3.0)::numeric::int8::float8 as k from generate_series(0, 44) x) whole, generate_series(-3, 3) e
    union all select power(10, x / 7.0) from generate_series(-2160, 2156) x
    union all select 0 union all select 5e-324 union all select 1.7976931348623157e308
  ) one`;

test.each(cases([0, 1, 2, 5, 6, 7, 10], [0, 2, 10]))(
  'numbers of every size are rounded to %i places as decimals are',
  async (places) => {
    const decimal = `case when abs(n) < 1e15 then round(n::numeric, ${places})::double precision else n end`;
    const { rows } = await client.query(
      `select n, ${compile(rounded(sql.id('n'), places)).text} as got, ${decimal} as wanted from (${numbers}) given`,
    );
    expect(rows.length).toBeGreaterThan(10_000);
    expect(rows.filter(({ got, wanted }) => !Object.is(got, wanted)).slice(0, 5)).toEqual([]);
  },
);
