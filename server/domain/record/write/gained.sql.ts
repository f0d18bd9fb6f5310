// What new records have got from PostgreSQL, gathered into one row of the answer: a row per record would be slower.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema, TableSchema } from '../../../catalog/table.ts';
import { workedOutBehind } from '../../../db/cluster-form.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { formulasOf, isFormula } from '../../cell/formula.sql.ts';
import { isoText } from '../../cell/kind/date-format.sql.ts';
import { isLookedUp } from '../../cell/looked-up.sql.ts';
import { mayBeLarge } from '../../cell/size.sql.ts';
import type { Reader } from '../../cell/type.ts';
import { cellTypeOf, columnOf, fieldTypeOf, isStored } from '../../cell/types.ts';
import { keyOf } from '../read/field-key.ts';
import { fieldsJson, seenOf, unlessTooLarge } from '../read/json.sql.ts';

/** Adds the computed cells of the record at this place in pieces, `,"ID":1,"Sum":2`; nothing if it has none. */
export type ComputedCells = (index: number, pieces: string[]) => void;

/** The texts of the answer by name; null where there is none. */
export type GainedTexts = Readonly<Record<string, string | null>>;

interface Gained {
  returning: Sql;
  rows: Sql;
  answer: Sql;
}

/** JSON text has none. */
const betweenCells = sql.literal('\n');

/** The cells of one field as they were read, in the order of the records. */
interface Items {
  items: string[];
  /** How an empty cell is read. */
  nothing: string;
  /** What stands around the text of a cell that is not empty. */
  before: string;
  after: string;
}

/** The cells of one field: what each row returns, what is made of all of them, and how it is read. `boundary`: was drawn for the request, so that no cell can hold it. */
interface Gathering {
  cell: (column: Sql, field: FieldSchema, reader: Reader) => Sql;
  all: (cells: Sql, boundary: Sql) => Sql;
  read: (text: string, boundary: string) => Items;
}

const asTheyAre = (items: string[], nothing: string): Items => ({ items, nothing, before: '', after: '' });

const itemsOf = (text: string): string[] => text.slice(1, -1).split(',');

/** `"2024-01-01T00:00:00"`: JSON has as many digits behind the second as there are, the API has three. */
const inMilliseconds = (text: string): string =>
  text.length === 21 ? `${text.slice(0, 20)}.000Z"` : `${`${text.slice(0, -1)}00`.slice(0, 24)}Z"`;

/** All at once where all are whole seconds. */
const timesOf = (text: string): Items =>
  text.includes('.') || text.includes('null')
    ? asTheyAre(
        itemsOf(text).map((item) => (item === 'null' ? item : inMilliseconds(item))),
        'null',
      )
    : { items: text.slice(2, -2).split('","'), nothing: '', before: '"', after: '.000Z"' };

const isEscaped = /["\\\u0000-\u001f]/;

/** A formula never gives a text without a character. */
const textsOf = (text: string, boundary: string): Items => {
  const items = text.split(boundary);
  return isEscaped.test(text)
    ? asTheyAre(
        items.map((item) => JSON.stringify(item)),
        '""',
      )
    : { items, nothing: '', before: '"', after: '"' };
};

const asJson: Gathering = {
  cell: (column, field, reader) => cellTypeOf(field).json(column, field, reader),
  all: (cells) => sql`string_agg(coalesce(${cells}, ''), ${betweenCells})`,
  read: (text) => asTheyAre(text.split('\n'), ''),
};

/** They become JSON here: 0.5 µs less for a text than in PostgreSQL. */
const asTexts: Gathering = {
  cell: (column) => column,
  all: (cells, boundary) => sql`string_agg(coalesce(${cells}, ''), ${boundary})`,
  read: textsOf,
};

/** As they are; PostgreSQL writes an array of them in less time than their texts, 0.2 against 0.4 µs for a number and 0.3 against 1.2 for a time. */
const asNumbers: Gathering = {
  cell: (column) => column,
  all: (cells) => sql`array_agg(${cells})::text`,
  read: (text) => asTheyAre(itemsOf(text), 'NULL'),
};
const asTimes: Gathering = {
  cell: (column) => column,
  all: (cells) => sql`array_to_json(array_agg(${cells} at time zone interval '0'))::text`,
  read: timesOf,
};

const gatheringOf = (field: FieldSchema): Gathering => {
  const { kind, isMultiple } = cellTypeOf(field);
  if (isMultiple || !isFormula(field)) return asJson;
  return kind === 'number' ? asNumbers : kind === 'date' ? asTimes : kind === 'text' ? asTexts : asJson;
};

/** A field may be called `name` or `cells`; no column of one begins so. */
const names = { cells: sql`__cells`, name: sql`__name`, tooMuch: sql`__too_much` };

/** `links`: those that were written with the records. */
const computedOf = ({ fields }: Sight, links: readonly FieldSchema[]): FieldSchema[] =>
  fields.filter(
    // What is seen of masked cells is read once they are written.
    (field) => field.seenAs === undefined && (fieldTypeOf(field).isComputed || links.some(({ id }) => id === field.id)),
  );

const columnsOf = (
  sight: Sight,
  computed: readonly FieldSchema[],
): { name: string; field: FieldSchema; gathering: Gathering }[] =>
  seenOf(sight, computed).map((field, at) => ({ name: `__k${at}`, field, gathering: gatheringOf(field) }));

/** Field by field in tables with formulas, and where links are written: on a cluster their statement has a form in which no text is put together. In others all computed cells of a record are one text. */
const isByField = (computed: readonly FieldSchema[], links: readonly FieldSchema[]): boolean =>
  links.length > 0 || computed.some(isFormula);

const cellsOf = (
  sight: Sight,
  computed: readonly FieldSchema[],
  keyType: FieldKeyType,
  byField: boolean,
  boundary: Sql,
): { returned: Sql; answer: Sql; large: Sql[] } => {
  if (computed.length === 0) return { returned: sql.empty, answer: sql`, null as computed`, large: [] };
  if (!byField)
    return {
      returned: sql`, ${fieldsJson(sight, computed, 'r', keyType, 'json')} as ${names.cells}`,
      answer: sql`, string_agg(${names.cells}, ${betweenCells}) as computed`,
      large: computed.some(mayBeLarge) ? [names.cells] : [],
    };
  const columns = columnsOf(sight, computed);
  return {
    returned: sql.join(
      columns.map(
        ({ name, field, gathering }) => sql`, ${gathering.cell(columnOf(field, 'r'), field, sight)} as ${sql.id(name)}`,
      ),
      '',
    ),
    answer: sql.join(
      columns.map(({ name, gathering }) => sql`, ${gathering.all(sql.id(name), boundary)} as ${sql.id(name)}`),
      '',
    ),
    large: columns.flatMap(({ name, field }) => (mayBeLarge(field) ? [sql.id(name)] : [])),
  };
};

/** A short formula makes long texts of nothing: what new records got is refused rather than sent to this process. */
const unlessTooMuch = (texts: readonly Sql[]): Sql => {
  if (texts.length === 0) return sql.empty;
  const bytes = sql.join(
    texts.map((text) => sql`coalesce(sum(octet_length(${text})), 0)`),
    ' + ',
  );
  return sql`, ${unlessTooLarge(bytes, sql`null`)} as ${names.tooMuch}`;
};

/** The SQL of its cells looks at other tables: what is looked up and not stored, and what is computed from that. */
const looksElsewhere = (field: FieldSchema, table: TableSchema): boolean => {
  if (isStored(field)) return false;
  if (!isFormula(field)) return isLookedUp(field);
  const references = formulasOf(table.fields).get(field.id)?.references ?? [];
  return references.some((id) => looksElsewhere(table.byId.get(id) as FieldSchema, table));
};

/** `boundary`: stands between texts. `isWhole`: somebody else looks at the whole rows, too. */
export const gainedBy = (
  sight: Sight,
  keyType: FieldKeyType,
  links: readonly FieldSchema[],
  boundary: Sql,
  isWhole = false,
): Gained => {
  const { primary } = sight.table;
  const computed = computedOf(sight, links);
  // Made while the row is at hand: whole rows would have to be kept until all are written. People and other tables are looked up behind it: Citus looks nothing up for `returning`.
  const isLate =
    isWhole ||
    computed.some((field) => cellTypeOf(field).isLookedUpPerson === true) ||
    [...computed, primary].some((field) => looksElsewhere(field, sight.table));
  const isNamed = cellTypeOf(primary).isText === true && !fieldTypeOf(primary).isComputed;
  const name = isNamed
    ? sql.empty
    : sql`, ${cellTypeOf(primary).text(columnOf(primary, 'r'), primary)} as ${names.name}`;
  const { returned, answer, large } = cellsOf(sight, computed, keyType, isByField(computed, links), boundary);
  const [whole, behind] = [sql`r.*`, sql`(select r.*${name}${returned} from ins r) ins`];
  const atHand = sql`r.__id, r.__auto_number, r.__created_time${name}${returned}`;
  const isLateOnCluster = computed.length > 0 || !isNamed;
  return {
    returning: isLate ? whole : isLateOnCluster ? workedOutBehind(atHand, whole) : atHand,
    rows: isLate ? behind : isLateOnCluster ? workedOutBehind(sql`ins`, behind) : sql`ins`,
    answer: sql`${isoText(sql`max(__created_time)`)} as "createdTime", string_agg(__id, ',') as ids, string_agg(__auto_number::text, ',') as "autoNumbers",
                ${isNamed ? sql`null` : sql`json_agg(${names.name})`} as names${answer}${unlessTooMuch(isNamed || !mayBeLarge(primary) ? large : [names.name, ...large])}`,
  };
};

/** Null when there are none. */
export const readComputed = (
  sight: Sight,
  keyType: FieldKeyType,
  links: readonly FieldSchema[],
  texts: GainedTexts,
  boundary: string,
): ComputedCells | null => {
  const computed = computedOf(sight, links);
  if (computed.length === 0) return null;
  if (!isByField(computed, links)) {
    const objects = texts['computed']?.split('\n') ?? [];
    return (index, pieces) => {
      if (objects[index] !== '{}') pieces.push(',', (objects[index] as string).slice(1, -1));
    };
  }
  const columns = columnsOf(sight, computed).map(({ name, field, gathering }) => {
    const { items, nothing, before, after } = gathering.read(texts[name] ?? '', boundary);
    return { items, nothing, before: `,${JSON.stringify(keyOf(field, keyType))}:${before}`, after };
  });
  // What ends a cell and begins the next one is one piece where both are there.
  const glued = columns.map(({ before }, at) => `${columns[at - 1]?.after ?? ''}${before}`);
  return (index, pieces) => {
    /** The column whose cell has not been ended. */
    let open = -1;
    for (let at = 0; at < columns.length; at += 1) {
      const { items, nothing, before } = columns[at] as (typeof columns)[number];
      const item = items[index] as string;
      if (item === nothing) continue;
      if (open === at - 1) pieces.push(glued[at] as string, item);
      else if (open === -1) pieces.push(before, item);
      else pieces.push((columns[open] as (typeof columns)[number]).after, before, item);
      open = at;
    }
    if (open !== -1) pieces.push((columns[open] as (typeof columns)[number]).after);
  };
};
