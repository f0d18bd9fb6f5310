// Bases of Teable, by its API, whose fields and views are nearly those of this service.
import type { ImportSource } from '@rowhouse/contract/import-from.ts';
import { fieldTypes, type NewField } from '@rowhouse/contract/field.ts';
import { type Asking, fetchJson } from './fetch-json.ts';
import { readComments } from './teable-comments.ts';
import {
  filesIn,
  isObject,
  type Left,
  linkedIds,
  type OtherBase,
  type OtherField,
  type OtherRow,
  textOf,
} from './model.ts';

type Vo = Record<string, unknown> & { id: string; name: string; type: string; options?: Record<string, unknown> };

const same = (value: unknown): unknown => value;

/** Of records that are made here these would say something else: the values stay. */
const becomes: Record<string, { type: NewField['type']; reason: string }> = {
  createdTime: { type: 'date', reason: 'createdTime became a date with its values' },
  lastModifiedTime: { type: 'date', reason: 'lastModifiedTime became a date with its values' },
  autoNumber: { type: 'number', reason: 'its numbers are kept, and new records get none' },
  user: { type: 'singleLineText', reason: 'people became their names' },
  createdBy: { type: 'singleLineText', reason: 'people became their names' },
  lastModifiedBy: { type: 'singleLineText', reason: 'people became their names' },
};

const optionsOf = ({ options = {} }: Vo): Record<string, unknown> => {
  if (!Array.isArray(options['choices'])) return options;
  return {
    ...options,
    choices: (options['choices'] as Record<string, unknown>[]).map(({ name, color }) => ({ name, color })),
  };
};

type Mapped = Pick<OtherField, 'make' | 'cell'> & { reason?: string };

const mapField = (field: Vo, url: string): Mapped => {
  const { type, options = {} } = field;
  if (field['isLookup'] === true || type === 'rollup' || type === 'conditionalRollup' || type === 'formula') {
    const given = {
      type: type as NewField['type'],
      options,
      ...(field['isLookup'] === true ? { isLookup: true } : {}),
      ...(isObject(field['lookupOptions'])
        ? { lookupOptions: field['lookupOptions'] as NewField['lookupOptions'] }
        : {}),
    };
    return {
      make: { kind: 'computed', given: given as Extract<OtherField['make'], { kind: 'computed' }>['given'] },
      cell: textOf,
    };
  }
  if (type === 'link') {
    return {
      make: {
        kind: 'link',
        tableId: String(options['foreignTableId']),
        relationship: options['relationship'] as 'manyMany',
        other:
          options['isOneWay'] === true || typeof options['symmetricFieldId'] !== 'string'
            ? null
            : options['symmetricFieldId'],
      },
      cell: linkedIds,
    };
  }
  const other = becomes[type];
  if (other !== undefined)
    return {
      make: { kind: 'own', type: other.type },
      cell: other.type === 'singleLineText' ? textOf : same,
      reason: other.reason,
    };
  if (type === 'attachment')
    return {
      make: { kind: 'own', type },
      cell: (value) =>
        filesIn(value, ({ presignedUrl }) =>
          typeof presignedUrl === 'string' ? new URL(presignedUrl, url).href : undefined,
        ),
    };
  if (type === 'button') {
    const { workflow: _there, ...own } = options;
    return {
      make: { kind: 'own', type, options: own },
      cell: () => undefined,
      reason: 'connect it to an automation here; it counts from zero',
    };
  }
  if ((fieldTypes as readonly string[]).includes(type))
    return { make: { kind: 'own', type: type as NewField['type'], options: optionsOf(field) }, cell: same };
  return { make: { kind: 'none' }, cell: same, reason: `there are no fields of type ${type}` };
};

const pageSize = 1_000;

export const readTeable = async (
  source: Extract<ImportSource, { type: 'teable' }>,
  how: Pick<Asking, 'anywhere' | 'signal'>,
): Promise<OtherBase> => {
  const asking: Asking = { ...how, url: source.url.replace(/\/+$/, ''), token: source.token };
  const left: Left[] = [];
  const { name } = await fetchJson(asking, `/api/base/${source.baseId}`);
  const tables = (await fetchJson(asking, `/api/base/${source.baseId}/table`)) as unknown as Vo[];
  const found: OtherBase = { name: String(name), tables: [], left };
  for (const table of tables) {
    const vos = (await fetchJson(asking, `/api/table/${table.id}/field`)) as unknown as Vo[];
    const fields = vos.map((vo): OtherField => {
      const { make, cell, reason } = mapField(vo, source.url);
      if (reason !== undefined) left.push({ table: table.name, field: vo.name, reason });
      return {
        id: vo.id,
        name: vo.name,
        make,
        cell,
        ...(typeof vo['description'] === 'string' && vo['description'] !== ''
          ? { description: vo['description'] }
          : {}),
      };
    });
    const primary = vos.findIndex(({ isPrimary }) => isPrimary === true);
    if (primary > 0) fields.unshift(...fields.splice(primary, 1));
    const views = (await fetchJson(asking, `/api/table/${table.id}/view`)) as unknown as Vo[];
    let count = 0;
    found.tables.push({
      id: table.id,
      name: table.name,
      fields,
      views: views.map(({ type, name: viewName, filter, sort, group, options, columnMeta }) => ({
        type,
        name: viewName,
        filter,
        sort,
        group,
        options,
        columnMeta,
      })),
      rows: async function* pages() {
        for (let skip = 0; ; skip += pageSize) {
          const { records } = (await fetchJson(
            asking,
            `/api/table/${table.id}/record?fieldKeyType=id&take=${pageSize}&skip=${skip}`,
          )) as unknown as { records: { id: string; fields: Record<string, unknown> }[] };
          count += records.length;
          yield records.map(({ id, fields: cells }): OtherRow => ({ id, cells }));
          if (records.length < pageSize) return;
        }
      },
      comments: () => readComments(asking, table.id, count, pageSize),
    });
  }
  left.push({
    table: '',
    reason:
      'history, people and what is in the trash stay there; comments name their authors, without reactions and images',
  });
  return found;
};
