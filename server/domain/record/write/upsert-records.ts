// POST /table/:tableId/record/upsert. Upserts of one table go one after the other: each looks for its records when those
// before it have committed, so none creates what another one has.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, conflict, type Issue, invalid } from '@rowhouse/contract/error.ts';
import type { upsertRecords as endpoint } from '@rowhouse/contract/record.ts';
import { demand } from '../../../catalog/access.ts';
import { type Sight, sightOf } from '../../../catalog/sight.ts';
import { type FieldSchema, loadTable } from '../../../catalog/table.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardOf, selectFacts } from '../../../pipeline/guard.sql.ts';
import { guardedTransaction, type TableContext, Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { cellTypeOf, fieldTypeOf } from '../../cell/types.ts';
import { fieldsBy, unknownFields } from '../read/field-key.ts';
import { permissionsJson } from '../read/json.sql.ts';
import { selectRecords } from '../read/read.sql.ts';
import { type CellError, type Column, readChangedCells } from './cells.ts';
import { announceCreate, createdRecords, planCreate, type PlannedCreate, writeCreate } from './create-records.ts';
import { filesFor } from './files.ts';
import { splitLinks } from './links.ts';
import { peopleFor } from './people.ts';
import { sentJson } from './sent-json.ts';
import { announceUpdate, explainNoUpdate, planUpdate, type PlannedUpdate, writeUpdate } from './update-records.ts';
import { lockUpserts, type Match, selectMatches } from './upsert.sql.ts';
import { cellContext, keysOf, refuseTooMany } from './write.ts';
import { computedCells } from './written-back.ts';

type Body = BodyOf<typeof endpoint>;

interface Request {
  rows: Body['records'];
  keyType: NonNullable<Body['fieldKeyType']>;
  typecast: boolean;
  matchFields: readonly string[];
  /** Only what could not be converted is reported. */
  reportsDropped?: true;
}

const matchKinds: readonly string[] = ['text', 'number', 'date', 'choice'];

/** The columns to match by, in the order they are named in. */
const keyColumns = (sight: Sight, { matchFields, keyType, rows }: Request, columns: readonly Column[]): Column[] => {
  const known = fieldsBy(sight, keyType);
  const unknown = matchFields.filter((key) => !known.has(key));
  if (unknown.length > 0) throw unknownFields(unknown, keyType, known);
  const issues: Issue[] = [];
  const keys = matchFields.flatMap((key, at) => {
    const field = known.get(key);
    if (field === undefined) return [];
    const cells = cellTypeOf(field);
    if (!matchKinds.includes(cells.kind) || cells.isMultiple || fieldTypeOf(field.type).isComputed) {
      issues.push({
        path: `matchFields[${at}]`,
        message: `Records cannot be matched by "${field.name}", which is of type ${field.type}`,
        expected: 'a text, number, date or single select field',
      });
      return [];
    }
    const column = columns.find((one) => one.field.id === field.id);
    rows.forEach((_row, index) => {
      if (column === undefined || column.values[index] === null)
        issues.push({
          path: `records[${index}].fields.${key}`,
          message: `"${field.name}" is what records are matched by, and must not be empty`,
          expected: 'a value',
        });
    });
    return column === undefined ? [] : [column];
  });
  if (new Set(keys).size !== keys.length)
    issues.push({ path: 'matchFields', message: 'A field is named twice', expected: 'every field once' });
  if (issues.length > 0) throw invalid(issues.slice(0, 100));
  return keys;
};

/** Two records of the request that mean the same one, whether it is there or not. */
const refuseTwins = (keys: readonly Column[], count: number): void => {
  const seen = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const key = JSON.stringify(keys.map(({ values }) => values[index]));
    const before = seen.get(key);
    if (before !== undefined)
      throw invalid({
        path: `records[${index}]`,
        message: `It means the same record as records[${before}]: ${key.slice(1, -1).slice(0, 200)}`,
        expected: 'every record once',
      });
    seen.set(key, index);
  }
};

const matchesByIndex = (matches: readonly Match[]): Map<number, Match> => {
  const found = new Map<number, Match>();
  for (const match of matches) {
    const other = found.get(match.index);
    if (other !== undefined)
      throw conflict(
        `records[${match.index}] matches several records of the table, such as ${other.id} and ${match.id}; nothing was written`,
      );
    found.set(match.index, match);
  }
  return found;
};

const find = async (context: TableContext, sight: Sight, request: Request): Promise<Map<number, Match>> => {
  const { db, access } = context;
  const people = await peopleFor(db, sight.table, access.spaceId, () => keysOf(request.rows), false);
  // Choices that it would add match nothing yet; they are added by what writes.
  // Whether computed cells are as they were is looked at once it is known of which record.
  const { columns } = readChangedCells(
    sight,
    { ...request, isUnchanged: () => true },
    cellContext(context, people, new Map(), await filesFor(context, sight, request)),
  );
  const keys = keyColumns(sight, request, columns);
  refuseTwins(keys, request.rows.length);
  // What links hold is not in a column: a record that the request gives links to is written.
  const { cells, links } = splitLinks(columns);
  const givesLinks = (index: number): boolean =>
    links.some(({ given }) => given === undefined || given[index] === true);
  const matches = matchesByIndex(
    (await selectMatches(db, sight, cells, keys)).map((match) => ({
      ...match,
      isSame: match.isSame && !givesLinks(match.index),
    })),
  );
  const same = [...matches.values()]
    .filter(({ isSame }) => isSame)
    .map(({ index, id }) => ({ index, id, fields: request.rows[index]?.fields ?? {} }));
  const isUnchanged = await computedCells(db, sight, { ...request, rows: same });
  const known = fieldsBy(sight, request.keyType);
  // One with another value is an update, and refused as such.
  const differs = ({ id, fields }: (typeof same)[number]): boolean =>
    Object.entries(fields).some(
      ([key, value]) =>
        fieldTypeOf(known.get(key) as FieldSchema).isComputed && isUnchanged?.(id, key, value) === false,
    );
  for (const row of same)
    if (differs(row)) matches.set(row.index, { ...(matches.get(row.index) as Match), isSame: false });
  return matches;
};

/** What is wrong with some of the records, by their places among all. */
const atPlaces = async <T>(places: readonly number[], work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    const data = error instanceof ApiError ? (error.data as { errors?: CellError[] } | undefined) : undefined;
    if (data?.errors !== undefined) for (const one of data.errors) one.index = places[one.index] ?? one.index;
    throw error;
  });

interface Written {
  update: PlannedUpdate | undefined;
  create: PlannedCreate | undefined;
  /** Places of the rows that change a record, and of those that make one. */
  changed: readonly number[];
  missing: readonly number[];
  text: string;
}

/** In the transaction of the context. */
export const upsertWithin = async (context: TableContext, request: Request): Promise<Written> => {
  const { db: tx, access } = context;
  await lockUpserts(tx, access.tableId);
  let sight = sightOf(context, await loadTable(tx, access.baseId, access.tableId));
  const matches = request.rows.length === 0 ? new Map<number, Match>() : await find(context, sight, request);
  const { keyType, typecast, rows, reportsDropped } = request;
  const reporting = reportsDropped === undefined ? {} : { reportsDropped };
  const tail = permissionsJson(sight, context.access, keyType);
  const placesOf = (wanted: (match: Match | undefined) => boolean): number[] =>
    [...rows.keys()].filter((index) => wanted(matches.get(index)));
  const placeOf =
    (places: readonly number[]) =>
    (index: number, key: string): string =>
      `records[${places[index]}].fields.${key}`;
  const idAt = (index: number): string => (matches.get(index) as Match).id;

  const changed = placesOf((match) => match?.isSame === false);
  let update: PlannedUpdate | undefined;
  let updated: string[] = [];
  if (changed.length > 0) {
    update = await atPlaces(changed, () =>
      planUpdate(context, sight, {
        rows: changed.map((index) => ({ id: idAt(index), fields: rows[index]?.fields ?? {} })),
        keyType,
        typecast,
        placeOf: placeOf(changed),
        ...reporting,
      }),
    );
    const planned = update;
    const written = await atPlaces(changed, () => writeUpdate(context, planned));
    if (written instanceof Unwritten) throw await explainNoUpdate(context, planned);
    const byId = new Map(written.map((row) => [row.id, row.json + tail]));
    updated = planned.ids.map((id, at) =>
      sight.seesCells
        ? (byId.get(id) as string)
        : sentJson(sight, context.access, keyType, id, planned.request.rows[at]?.fields),
    );
    if (planned.added.size > 0) sight = sightOf(context, await loadTable(tx, access.baseId, access.tableId));
  }

  const missing = placesOf((match) => match === undefined);
  let create: PlannedCreate | undefined;
  let created = '';
  if (missing.length > 0) {
    create = await atPlaces(missing, () =>
      planCreate(context, sight, {
        rows: missing.map((index) => ({ fields: rows[index]?.fields ?? {} })),
        keyType,
        typecast,
        placeOf: placeOf(missing),
        ...reporting,
      }),
    );
    const planned = create;
    const written = await atPlaces(missing, () => writeCreate(context, planned));
    if (written instanceof Unwritten) throw new Stale('access');
    created = [...createdRecords(context, planned, written)].join('');
  }

  const samePlaces = placesOf((match) => match?.isSame === true);
  const same = samePlaces.map(idAt);
  const shown = new Map(
    (same.length === 0
      ? []
      : await selectRecords(tx, sight, same, { fields: sight.fields, keyType, format: 'json' })
    ).map((row) => [row.id, row.json + tail]),
  );
  if (update === undefined && create === undefined) {
    // Nothing was written that would have confirmed what this rests on.
    const { epoch } = await selectFacts(tx, sight.table, guardOf(context, sight.table));
    if (epoch !== access.epoch) throw new Stale('access');
  }
  const operationIds = [update, create].flatMap((planned) =>
    planned === undefined ? [] : [planned.operation.publicId],
  );
  const unchanged = sight.seesCells
    ? same.flatMap((id) => shown.get(id) ?? [])
    : samePlaces.map((index) => sentJson(sight, context.access, keyType, idAt(index), rows[index]?.fields));
  return {
    update,
    create,
    changed,
    missing,
    text: `{"created":[${created}],"updated":[${updated.join(',')}],"unchanged":[${unchanged.join(',')}],"operationIds":${JSON.stringify(operationIds)}}`,
  };
};

export const upsertRecords = async (
  request: Unconfirmed,
  body: Body,
): Promise<{ operationIds: string[]; text: string }> => {
  const { unconfirmed: first } = request;
  refuseTooMany(body.records.length, first.config.recordsPerRequest);
  const asked: Request = {
    rows: body.records,
    keyType: body.fieldKeyType ?? 'name',
    typecast: body.typecast ?? false,
    matchFields: body.matchFields,
  };
  const { update, create, text } = await guardedTransaction(request, async (context) => {
    demand(context.access, 'record|create', context.access.tableId);
    return upsertWithin(context, asked);
  });
  if (update !== undefined) announceUpdate(first, update);
  if (create !== undefined) announceCreate(first, create);
  return {
    operationIds: [update, create].flatMap((planned) => (planned === undefined ? [] : [planned.operation.publicId])),
    text,
  };
};
