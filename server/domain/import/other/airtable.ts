// Bases of Airtable, by its metadata and records API, or by their answers as JSON.
import type { ImportSource } from '@rowhouse/contract/import-from.ts';
import { GiveUp } from '../../../work/job.ts';
import { readComments } from './airtable-comments.ts';
import { type Asking, fetchJson } from './fetch-json.ts';
import {
  filesIn,
  isObject,
  type Left,
  linkedIds,
  listOf,
  type OtherBase,
  type OtherField,
  type OtherRow,
  type OtherTable,
  textOf,
} from './model.ts';

interface AirtableField {
  id: string;
  name: string;
  type: string;
  options?: Record<string, unknown>;
}

interface AirtableTable {
  id: string;
  name: string;
  primaryFieldId?: string;
  fields: AirtableField[];
  views?: Record<string, unknown>[];
}

type Contents = Pick<OtherTable, 'rows' | 'comments'>;

const same = (value: unknown): unknown => value;
const text = { make: { kind: 'own', type: 'singleLineText' }, cell: textOf } as const;
const long = { make: { kind: 'own', type: 'longText' }, cell: textOf } as const;

const choicesOf = (options: Record<string, unknown>): { name: string }[] => {
  const names = listOf(options['choices']).flatMap((choice) =>
    isObject(choice) && typeof choice['name'] === 'string' ? choice['name'] : [],
  );
  return [...new Set(names)].map((name) => ({ name }));
};

const precisionOf = ({ precision }: Record<string, unknown>): number =>
  Math.min(5, typeof precision === 'number' ? precision : 2);

const numbers = (formatting: Record<string, unknown>) =>
  ({
    make: { kind: 'own', type: 'number', options: { formatting } },
    cell: (value: unknown) => (typeof value === 'number' ? value : null),
  }) as const;

const dates = (time: 'None' | 'HH:mm') =>
  ({
    make: { kind: 'own', type: 'date', options: { formatting: { date: 'YYYY-MM-DD', time, timeZone: 'UTC' } } },
    cell: same,
  }) as const;

type Mapped = Pick<OtherField, 'make' | 'cell'> & { reason?: string };

/** What the result of a computed field is, as a field with values. */
const valuesOf = ({ type, options }: AirtableField): Mapped => {
  const result = isObject(options?.['result']) ? (options['result'] as unknown as AirtableField) : undefined;
  const reason = `${type} became a field with its values`;
  if (type === 'count') return { ...numbers({ type: 'decimal', precision: 0 }), reason };
  const mapped =
    result === undefined || result.type === 'multipleRecordLinks' || result.type === 'multipleAttachments'
      ? text
      : mapField({ ...result, id: '', name: '' });
  return { ...(mapped.make.kind === 'own' ? mapped : text), reason };
};

const mapField = (field: AirtableField): Mapped => {
  const { type, options = {} } = field;
  switch (type) {
    case 'singleLineText':
    case 'email':
    case 'url':
    case 'phoneNumber':
      return text;
    case 'multilineText':
    case 'richText':
    case 'aiText':
      return long;
    case 'number':
      return numbers({ type: 'decimal', precision: precisionOf(options) });
    case 'percent':
      return numbers({ type: 'percent', precision: precisionOf(options) });
    case 'currency':
      return numbers({
        type: 'currency',
        precision: precisionOf(options),
        symbol: String(options['symbol'] ?? '$').slice(0, 10),
      });
    case 'duration':
      return { ...numbers({ type: 'decimal', precision: 0 }), reason: 'durations became numbers of seconds' };
    case 'autoNumber':
      return {
        ...numbers({ type: 'decimal', precision: 0 }),
        reason: 'its numbers are kept, and new records get none',
      };
    case 'rating':
      return {
        make: { kind: 'own', type: 'rating', options: { max: Math.min(10, Number(options['max'] ?? 5)) } },
        cell: same,
      };
    case 'checkbox':
      return { make: { kind: 'own', type: 'checkbox' }, cell: (value) => value === true };
    case 'singleSelect':
      return { make: { kind: 'own', type: 'singleSelect', options: { choices: choicesOf(options) } }, cell: textOf };
    case 'multipleSelects':
      return {
        make: { kind: 'own', type: 'multipleSelect', options: { choices: choicesOf(options) } },
        cell: (value) => listOf(value).map(textOf),
      };
    case 'date':
      return dates('None');
    case 'dateTime':
      return dates('HH:mm');
    case 'createdTime':
    case 'lastModifiedTime':
      return { ...dates('HH:mm'), reason: `${type} became a date with its values` };
    case 'multipleAttachments':
      return { make: { kind: 'own', type: 'attachment' }, cell: (value) => filesIn(value, ({ url }) => url) };
    case 'multipleRecordLinks':
      return {
        make: {
          kind: 'link',
          tableId: String(options['linkedTableId']),
          relationship: 'manyMany',
          other: typeof options['inverseLinkFieldId'] === 'string' ? options['inverseLinkFieldId'] : null,
        },
        cell: linkedIds,
      };
    case 'multipleLookupValues': {
      const { recordLinkFieldId, fieldIdInLinkedTable } = options;
      if (typeof recordLinkFieldId !== 'string' || typeof fieldIdInLinkedTable !== 'string') return valuesOf(field);
      return {
        make: {
          kind: 'computed',
          given: {
            type: 'singleLineText',
            isLookup: true,
            lookupOptions: { foreignTableId: '', linkFieldId: recordLinkFieldId, lookupFieldId: fieldIdInLinkedTable },
          },
        },
        cell: textOf,
      };
    }
    case 'formula':
    case 'rollup':
    case 'count':
      return valuesOf(field);
    case 'singleCollaborator':
    case 'multipleCollaborators':
    case 'createdBy':
    case 'lastModifiedBy':
      return { ...text, reason: 'people became their names' };
    case 'button':
      return { make: { kind: 'none' }, cell: same, reason: 'what a button does is not told: make a button here' };
    default:
      return { ...text, reason: `${type} is not known here and became text` };
  }
};

const readTable = (table: AirtableTable, found: Contents, left: Left[]): OtherTable => {
  const fields = table.fields.map((field): OtherField => {
    const { make, cell, reason } = mapField(field);
    if (reason !== undefined) left.push({ table: table.name, field: field.name, reason });
    return { id: field.id, name: field.name, make, cell };
  });
  const primary = fields.findIndex(({ id }) => id === table.primaryFieldId);
  if (primary > 0) fields.unshift(...fields.splice(primary, 1));
  for (const { name, type } of (table.views ?? []) as { name: string; type: string }[]) {
    if (type !== 'grid')
      left.push({ table: table.name, view: name, reason: `what a view of type ${type} shows is not told by Airtable` });
  }
  const views = (table.views ?? []).filter(({ type }) => type === 'grid').map(({ name }) => ({ type: 'grid', name }));
  if (views.length > 0)
    left.push({ table: table.name, reason: 'filters, sorts and hidden fields of views are not told by Airtable' });
  return { id: table.id, name: table.name, fields, views, ...found };
};

/** Lookups name a field of another table; which one, the link says. */
const completeLookups = (tables: OtherTable[]): void => {
  for (const { fields } of tables) {
    for (const { make } of fields) {
      if (make.kind !== 'computed' || make.given.lookupOptions === undefined) continue;
      const link = fields.find(({ id }) => id === make.given.lookupOptions?.linkFieldId);
      if (link?.make.kind === 'link') make.given.lookupOptions.foreignTableId = link.make.tableId;
      const looked = tables
        .flatMap((table) => table.fields)
        .find(({ id }) => id === make.given.lookupOptions?.lookupFieldId);
      if (looked?.make.kind === 'own') make.given.type = looked.make.type;
    }
  }
};

const rowsOf = (records: unknown): OtherRow[] =>
  listOf(records).flatMap((record) =>
    isObject(record) && typeof record['id'] === 'string'
      ? { id: record['id'], cells: isObject(record['fields']) ? record['fields'] : {} }
      : [],
  );

const isTable = (value: unknown): value is AirtableTable =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  typeof value['name'] === 'string' &&
  Array.isArray(value['fields']) &&
  value['fields'].every(
    (field) => isObject(field) && [field['id'], field['name'], field['type']].every((part) => typeof part === 'string'),
  );

const baseOf = (name: string, given: unknown, contentsOf: (table: AirtableTable) => Contents): OtherBase => {
  const left: Left[] = [];
  const tables = listOf(given)
    .filter(isTable)
    .map((table) => readTable(table, contentsOf(table), left));
  if (tables.length === 0) throw new GiveUp('There are no tables in the base');
  completeLookups(tables);
  return { name, tables, left };
};

export const airtableUrl = (given: string | undefined): string =>
  (given ?? 'https://api.airtable.com').replace(/\/+$/, '');

export const readAirtable = async (
  source: Extract<ImportSource, { type: 'airtable' }>,
  how: Pick<Asking, 'anywhere' | 'signal'>,
): Promise<OtherBase> => {
  const asking: Asking = { ...how, url: airtableUrl(source.url), token: source.apiKey };
  const { tables } = await fetchJson(asking, `/v0/meta/bases/${source.baseId}/tables`);
  const bases = await fetchJson(asking, '/v0/meta/bases').catch(() => ({ bases: [] }));
  const known = listOf((bases as Record<string, unknown>)['bases']).find(
    (base) => isObject(base) && base['id'] === source.baseId,
  ) as { name?: string } | undefined;
  const found = baseOf(known?.name ?? 'Airtable', tables, ({ id }) => {
    const place = `/v0/${source.baseId}/${id}`;
    const commented: string[] = [];
    return {
      async *rows() {
        commented.length = 0;
        for (let offset: unknown = ''; offset !== undefined; ) {
          const page: Record<string, unknown> = await fetchJson(
            asking,
            `${place}?pageSize=100&returnFieldsByFieldId=true&recordMetadata%5B%5D=commentCount${offset === '' ? '' : `&offset=${encodeURIComponent(String(offset))}`}`,
          );
          for (const record of listOf(page['records']))
            if (isObject(record) && Number(record['commentCount']) > 0) commented.push(String(record['id']));
          yield rowsOf(page['records']);
          ({ offset } = page);
        }
      },
      comments: () => readComments(asking, place, commented),
    };
  });
  found.left.push({
    table: '',
    reason: 'history and people stay there; comments name their authors, without reactions',
  });
  return found;
};

export const readAirtableJson = (source: Extract<ImportSource, { type: 'airtable-json' }>): OtherBase =>
  baseOf('Airtable', source.tables, ({ id, fields }) => ({
    async *rows() {
      const byName = new Map(fields.map((field) => [field.name, field.id]));
      yield rowsOf(source.records[id]).map((row) => ({
        ...row,
        cells: Object.fromEntries(Object.entries(row.cells).map(([key, value]) => [byName.get(key) ?? key, value])),
      }));
    },
  }));
