// Cells that name people: as JSON with name and address, as a list of such, or as the id of a user. They are sorted by
// name and told apart by id; the rest of the cell may differ between records of one group.
import { isMe } from '@rowhouse/contract/filter.ts';
import { type Asker, ofAsker } from '../../../catalog/asker.ts';
import { avatarAddress } from '../../user/user.sql.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType, GroupParts } from '../type.ts';
import { beginning, distinctCells, distinctItems, holdsText, sharedStatistic } from './shared.sql.ts';
import { oneOfCondition, severalCondition, type Values, valuesOf } from './several.sql.ts';

/** A statement for many has parameters where `me` stands. */
const idsOf = (value: unknown, asker: Asker): Values => {
  const ids = [value].flat();
  if (!ids.some(isMe)) return valuesOf(ids.map(String));
  const known = ({ userId }: Asker): Values => valuesOf(ids.map((one) => (isMe(one) ? userId : String(one))));
  const [first, all, json] = (['first', 'all', 'json'] as const).map((form) =>
    ofAsker<unknown>(asker, (one) => known(one)[form]),
  );
  return { first, all, json } as Values;
};

const groupBy = (cells: CellType, identity: Sql, column: Sql, field: FieldSchema): GroupParts => {
  const name = cells.sortKey(column, field);
  return {
    keys: [name, { expression: sql`${identity}::text`, type: 'text', indexable: name.indexable }],
    sample: (reader) => sql`min(${cells.json(column, field, reader)})`,
    value: (_keys, sample) => sample,
  };
};

const withoutEmail = (person: Sql): Sql => sql`(${person} || '{"email":""}'::jsonb)`;

const idOf = (column: Sql): Sql => sql`(${column} ->> 'id')`;

export const personCells: CellType = {
  kind: 'person',
  cellValueType: 'string',
  dbFieldType: 'JSON',
  isMultiple: false,
  column: 'jsonb',
  json: (column, _field, { seesEmails }) => sql`${seesEmails ? column : withoutEmail(column)}::text`,
  text: (column) => sql`${column} ->> 'title'`,
  condition: (column, { operator, value }, _field, asker) =>
    oneOfCondition(idOf(column), operator, idsOf(value, asker)),
  filterKey: idOf,
  sortKey: (column, field) => ({
    expression: beginning(personCells.text(column, field)),
    type: 'text',
    indexable: true,
  }),
  groupKey: (column, field) => groupBy(personCells, idOf(column), column, field),
  canMatch: () => true,
  matches: (column, text, field) => holdsText(personCells.text(column, field), text),
  searched: (column, field) => personCells.text(column, field),
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctCells(idOf(column))),
};

const idListOf = (column: Sql): Sql => sql`jsonb_path_query_array(${column}, '$[*].id')`;

export const personListCells: CellType = {
  ...personCells,
  isMultiple: true,
  json: (column, _field, { seesEmails }) =>
    seesEmails
      ? sql`${column}::text`
      : sql`(select jsonb_agg(${withoutEmail(sql`person`)} order by at) from jsonb_array_elements(${column}) with ordinality as people(person, at))::text`,
  text: (column) =>
    sql`(select string_agg(person ->> 'title', ', ' order by at) from jsonb_array_elements(${column}) with ordinality as people(person, at))`,
  condition: (column, { operator, value }, _field, asker) =>
    severalCondition(idListOf(column), operator, idsOf(value, asker)),
  filterKey: () => null,
  sortKey: (column, field) => ({
    expression: beginning(personListCells.text(column, field)),
    type: 'text',
    indexable: false,
  }),
  groupKey: (column, field) => groupBy(personListCells, idListOf(column), column, field),
  matches: (column, text, field) => holdsText(personListCells.text(column, field), text),
  searched: (column, field) => personListCells.text(column, field),
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctItems(column)),
};

/** `column` is the id of a user, who is looked up. */
export const userIdCells: CellType = {
  ...personCells,
  column: 'text',
  isLookedUpPerson: true,
  json: (column, _field, { seesEmails }) =>
    sql`(select json_strip_nulls(json_build_object('id', u.id, 'title', u.name, 'email', ${seesEmails ? sql`u.email` : sql`''`}, 'avatarUrl', ${avatarAddress} || u.id))::text from rowhouse.people u where u.id = ${column})`,
  text: (column) => sql`(select u.name from rowhouse.people u where u.id = ${column})`,
  condition: (column, { operator, value }, _field, asker) => oneOfCondition(column, operator, idsOf(value, asker)),
  filterKey: (column) => column,
  sortKey: (column, field) => ({
    expression: beginning(userIdCells.text(column, field)),
    type: 'text',
    indexable: false,
  }),
  groupKey: (column, field) => groupBy(userIdCells, column, column, field),
  matches: (column, text, field) => holdsText(userIdCells.text(column, field), text),
  // A name is another row's.
  searched: undefined,
  statistic: (statistic, column) => sharedStatistic(statistic, column, distinctCells(column)),
};
