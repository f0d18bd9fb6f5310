// Formulas evaluated by PostgreSQL over one record that has a field of every kind, filled or empty.
import type pg from 'pg';
import { type Compiled, compile, type Sql, sql } from '../../server/db/sql.ts';
import { check, type Checked } from '../../server/domain/formula/check.ts';
import { emit, type Source } from '../../server/domain/formula/emit.sql.ts';
import { parse } from '../../server/domain/formula/parse.ts';
import { fieldFinder } from '../../server/domain/formula/references.ts';
import type { Type } from '../../server/domain/formula/term.ts';

type Value = string | number | boolean | null | (string | number | boolean)[];

const kinds: Record<string, Type> = {
  number: { kind: 'number', list: false },
  text: { kind: 'text', list: false },
  boolean: { kind: 'boolean', list: false },
  date: { kind: 'datetime', list: false },
  numbers: { kind: 'number', list: true },
  texts: { kind: 'text', list: true },
  booleans: { kind: 'boolean', list: true },
  dates: { kind: 'datetime', list: true },
};

const columns: Record<string, string> = {
  number: 'double precision',
  text: 'text',
  boolean: 'boolean',
  date: 'timestamptz',
  numbers: 'jsonb',
  texts: 'jsonb',
  booleans: 'jsonb',
  dates: 'jsonb',
};

/** Two of every kind: `{number}`, `{number2}`, … */
export const fields = Object.keys(kinds)
  .flatMap((name) => [name, `${name}2`])
  .map((name) => ({ id: `fld_${name}`, name, type: kinds[name.replace(/2$/, '')] as Type }));

export const checkFormula = (formula: string): Checked =>
  check(parse(formula), { field: fieldFinder(fields), fieldNames: () => fields.map(({ name }) => name) });

export interface Setting {
  timeZone?: string;
  now?: string;
}

const sourceOf = ({ timeZone = 'UTC', now = '2024-05-15T12:00:00Z' }: Setting = {}): Source => ({
  field: (id) => sql.id('r', id.slice(4)),
  fieldText: (id) => sql`to_char(${sql.id('r', id.slice(4))} at time zone 'UTC', 'DD.MM.YYYY')`,
  timeZone,
  now: sql`${now}::timestamptz`,
  record: {
    id: sql`'rec1'::text`,
    autoNumber: sql`7::bigint`,
    createdTime: sql`'2024-01-02T03:04:05.678Z'::timestamptz`,
    lastModifiedTime: sql`'2024-02-03T04:05:06.789Z'::timestamptz`,
  },
});

/** As the API would show it: dates as ISO text. */
const shown = ({ term: { type } }: Checked, value: Sql): Sql =>
  type.kind === 'datetime' && !type.list
    ? sql`to_jsonb(to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`
    : sql`to_jsonb(${value})`;

/** Of its own for each connection if `temporary`. */
export const createRecordTable = async (client: pg.Client, temporary = false): Promise<void> => {
  await client.query(
    `create ${temporary ? 'temporary ' : ''}table record (id int primary key, ${fields.map(({ name }) => `"${name}" ${columns[name.replace(/2$/, '')]}`).join(', ')})`,
  );
};

export const insertRecord = async (client: pg.Client, id: number, cells: Record<string, Value>): Promise<void> => {
  const names = Object.keys(cells);
  const values = Object.values(cells).map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
  await client.query(
    `insert into record (${['id', ...names].map((name) => `"${name}"`).join(', ')}) values (${[id, ...names].map((_, at) => `$${at + 1}`).join(', ')})`,
    [id, ...values],
  );
};

export const statementOf = (checked: Checked, setting: Setting): Compiled =>
  compile(sql`select ${shown(checked, emit(checked.term, sourceOf(setting)))} as cell from record r order by id`);

/** What a formula gives for each record, in their order. */
export const evaluate = async (client: pg.Client, formula: string, setting: Setting = {}): Promise<unknown[]> => {
  const { text, values } = statementOf(checkFormula(formula), setting);
  return (await client.query<{ cell: unknown }>(text, values)).rows.map(({ cell }) => cell);
};
