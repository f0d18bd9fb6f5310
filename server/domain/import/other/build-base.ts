// A base of another service is made here: tables with their fields, records, then links, what is computed over them, and views.
import type { NewField } from '@rowhouse/contract/field.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { NewView } from '@rowhouse/contract/view.ts';
import { viewTypes } from '@rowhouse/contract/view-types.ts';
import type { Context } from '../../../context.ts';
import { loadTable } from '../../../catalog/table.ts';
import { untilPassed } from '../../../pipeline/act-as.ts';
import { GiveUp } from '../../../work/job.ts';
import { createBase } from '../../base/create-base.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { addComments } from '../../comment/add-comments.ts';
import { createField } from '../../field/create-field.ts';
import { convertField } from '../../field/convert-field.ts';
import { updateField } from '../../field/update-field.ts';
import { fetchFile } from '../../file/fetch-file.ts';
import { keepFile } from '../../file/keep-file.ts';
import { createRecords } from '../../record/write/create-records.ts';
import { changeRecords } from '../../record/write/update-records.ts';
import { operationOf } from '../../record/write/write.ts';
import { createTable } from '../../table/create-table.ts';
import { createView } from '../../view/create-view.ts';
import { askPatiently } from './fetch-json.ts';
import type { Left, OtherBase, OtherField, OtherFile, OtherTable } from './model.ts';
import { parseInSlices } from '../../../work/parse-slices.ts';
import { createPause } from '../../../work/slices.ts';

/** How to act on the base, or on a table in it, as the one who started the job. */
interface Acting {
  onSpace: Context;
  on(place: { type: 'base' | 'table'; id: string }): Promise<Context>;
  signal: AbortSignal;
  onBase(baseId: string): Promise<void>;
  onRecords(count: number): Promise<void>;
}

interface Built {
  baseId: string;
  tables: { id: string; name: string; records: number }[];
  left: Left[];
}

/** Cells may be long: what is written at once is held twice. */
const perRequest = 100;
const mostLeft = 1_000;

const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : 'it could not be made');

const namesOf = ({ name, description }: OtherField): Pick<NewField, 'name' | 'description'> => ({
  name,
  ...(description === undefined ? {} : { description }),
});

/** What is empty there stays empty here: what new records begin with is said when those of the base are there. */
const withoutDefault = ({ defaultValue: _left, ...options }: Record<string, unknown>): Record<string, unknown> =>
  options;

const anyId = /\b(?:tbl|fld|viw)[0-9A-Za-z]{14,16}\b/g;

export const buildBase = async (acting: Acting, other: OtherBase, name: string, spaceId: string): Promise<Built> => {
  const { onSpace, signal } = acting;
  const left: Left[] = [...other.left];
  const note = (entry: Left): void => void (left.length < mostLeft && left.push(entry));
  /** Id there → id here, of tables, fields and records. */
  const ids = new Map<string, string>();
  const renamed = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value ?? null).replace(anyId, (id) => ids.get(id) ?? id)) as T;

  /** Each change is a transaction of its own, and there is no place to go on from: what passes is waited for here. */
  const patiently = <T>(work: () => Promise<T>): Promise<T> => untilPassed(signal, work);

  const base = await patiently(() => createBase(onSpace, { spaceId, name }));
  await acting.onBase(base.id);
  const { newId } = onSpace;

  /** Of a computed field that could not be made: its values, as text. */
  const asText = (field: OtherField): NewField => ({
    id: ids.get(field.id) as string,
    name: field.name,
    type: 'singleLineText',
  });

  const addTable = async (table: OtherTable): Promise<void> => {
    const own = table.fields.flatMap((field, at): NewField[] => {
      const { make } = field;
      if (make.kind === 'own') ids.set(field.id, newId('fld'));
      const isPrimary = at === 0;
      if (make.kind === 'own' && (!isPrimary || fieldTypeOf(make.type).canBePrimary))
        return [
          {
            id: ids.get(field.id) as string,
            ...namesOf(field),
            type: make.type,
            ...(make.options === undefined ? {} : { options: withoutDefault(make.options) }),
          },
        ];
      if (!isPrimary) return [];
      ids.set(field.id, newId('fld'));
      note({ table: table.name, field: field.name, reason: 'the first field names records and became text' });
      field.make = { kind: 'own', type: 'singleLineText' };
      return [asText(field)];
    });
    const made = await patiently(async () =>
      createTable(await acting.on({ type: 'base', id: base.id }), {
        name: table.name.slice(0, 255) || 'Table',
        fields: own,
        records: [],
      }),
    );
    ids.set(table.id, made.id);
  };

  const tableContext = (table: OtherTable): Promise<Context> =>
    acting.on({ type: 'table', id: ids.get(table.id) as string });

  const attempt = async (entry: Left, work: () => Promise<void>): Promise<void> => {
    try {
      await patiently(work);
    } catch (error) {
      if (!(error instanceof ApiError) || error.passes !== 'no') throw error;
      note({ ...entry, reason: `${entry.reason}: ${messageOf(error)}` });
    }
  };

  /** Each pair of fields is one link. */
  const addLink = async (table: OtherTable, field: OtherField): Promise<void> => {
    if (field.make.kind !== 'link' || ids.has(field.id)) return;
    const { tableId, relationship, other: otherId } = field.make;
    const foreignTableId = ids.get(tableId);
    if (foreignTableId === undefined)
      return note({ table: table.name, field: field.name, reason: 'it links to a table that is not in the base' });
    const opposite = other.tables.flatMap(({ fields }) => fields).find(({ id }) => id === otherId);
    await attempt({ table: table.name, field: field.name, reason: 'the link was not made' }, async () => {
      const id = newId('fld');
      const made = await patiently(async () =>
        createField(await tableContext(table), ids.get(table.id) as string, {
          id,
          ...namesOf(field),
          type: 'link',
          options: { relationship, foreignTableId, ...(opposite === undefined ? { isOneWay: true } : {}) },
        }),
      );
      ids.set(field.id, id);
      const symmetric = (made.options as { symmetricFieldId?: string }).symmetricFieldId;
      if (opposite === undefined || symmetric === undefined) return;
      ids.set(opposite.id, symmetric);
      await patiently(async () =>
        updateField(await acting.on({ type: 'table', id: foreignTableId }), foreignTableId, symmetric, {
          name: opposite.name,
        }),
      );
    });
  };

  const keptFiles = async (
    context: Context,
    table: OtherTable,
    field: OtherField,
    files: readonly OtherFile[],
  ): Promise<object[]> => {
    const kept: object[] = [];
    for (const { name: fileName, url } of files) {
      await attempt(
        { table: table.name, field: field.name, reason: `the file ${fileName} was not fetched` },
        async () => {
          const { body, size, mimetype, cancel } = await askPatiently(acting.signal, () =>
            fetchFile(url, { anywhere: context.config.fetchPrivate, signal: acting.signal }),
          );
          const { token } = await keepFile(context, spaceId, {
            body,
            name: fileName,
            mimetype,
            atLeast: size ?? 0,
          }).finally(cancel);
          kept.push({ token, name: fileName });
        },
      );
    }
    return kept;
  };

  /** Record → its links, which are written when all records are there. */
  const links = new Map<OtherTable, { id: string; cells: Record<string, string[]> }[]>();
  let records = 0;

  const addRecords = async (
    table: OtherTable,
    rows: readonly { id: string; cells: Record<string, unknown> }[],
  ): Promise<void> => {
    const context = await patiently(() => tableContext(table));
    const drafts: { fields: Record<string, unknown> }[] = [];
    for (const { cells } of rows) {
      const fields: Record<string, unknown> = {};
      for (const field of table.fields) {
        const value = cells[field.id];
        if (field.make.kind !== 'own' || value === undefined || value === null) continue;
        const cell = field.cell(value);
        if (cell === undefined) continue;
        fields[ids.get(field.id) as string] =
          field.make.type === 'attachment' ? await keptFiles(context, table, field, cell as OtherFile[]) : cell;
      }
      drafts.push({ fields });
    }
    const { text } = await patiently(() =>
      createRecords({ unconfirmed: context }, { records: drafts, fieldKeyType: 'id', typecast: true }),
    );
    const made = ((await parseInSlices([...text].join(''), createPause())) as { records: { id: string }[] }).records;
    rows.forEach(({ id, cells }, at) => {
      const own = (made[at] as { id: string }).id;
      ids.set(id, own);
      const linked = table.fields.flatMap((field) =>
        field.make.kind === 'link' && cells[field.id] !== undefined
          ? [[field.id, field.cell(cells[field.id]) as string[]] as const]
          : [],
      );
      if (linked.length > 0)
        links.set(table, [...(links.get(table) ?? []), { id: own, cells: Object.fromEntries(linked) }]);
    });
    records += rows.length;
    await patiently(() => acting.onRecords(records));
  };

  const writeLinks = async (table: OtherTable, written: ReadonlySet<string>): Promise<void> => {
    const all = links.get(table) ?? [];
    for (let from = 0; from < all.length; from += perRequest) {
      signal.throwIfAborted();
      const rows = all.slice(from, from + perRequest).map(({ id, cells }) => ({
        id,
        fields: Object.fromEntries(
          Object.entries(cells)
            .filter(([fieldId]) => written.has(fieldId))
            .map(([fieldId, linked]) => [
              ids.get(fieldId) as string,
              linked.flatMap((record) => (ids.has(record) ? { id: ids.get(record) as string } : [])),
            ]),
        ),
      }));
      await patiently(async () =>
        changeRecords(
          { unconfirmed: await tableContext(table) },
          { rows: rows.filter(({ fields }) => Object.keys(fields).length > 0), keyType: 'id', typecast: true },
        ),
      );
    }
  };

  for (const table of other.tables) await addTable(table);
  const counts = new Map<OtherTable, number>();
  for (const table of other.tables) {
    for await (const page of table.rows()) {
      for (let from = 0; from < page.length; from += perRequest) {
        signal.throwIfAborted();
        await addRecords(table, page.slice(from, from + perRequest));
      }
      counts.set(table, (counts.get(table) ?? 0) + page.length);
    }
  }
  for (const table of other.tables) {
    for (const field of table.fields) {
      const { make } = field;
      if (make.kind !== 'own' || make.options?.['defaultValue'] == null) continue;
      const { type, options } = make;
      await attempt(
        { table: table.name, field: field.name, reason: 'what new records begin with was not set' },
        async () => {
          await convertField(await tableContext(table), ids.get(table.id) as string, ids.get(field.id) as string, {
            type,
            options,
          });
        },
      );
    }
  }
  for (const table of other.tables) {
    const before = new Set(ids.keys());
    for (const field of table.fields) await addLink(table, field);
    // Of a pair only the side that made it: the other one follows.
    await writeLinks(
      table,
      new Set(
        table.fields
          .filter(({ id, make }) => make.kind === 'link' && ids.has(id) && !before.has(id))
          .map(({ id }) => id),
      ),
    );
  }
  // What is computed may rest on what is computed: those that lack something are tried again.
  let waiting = other.tables.flatMap((table) =>
    table.fields.filter(({ make }) => make.kind === 'computed').map((field) => ({ table, field })),
  );
  for (let isMoving = true; isMoving && waiting.length > 0; ) {
    const failed: typeof waiting = [];
    for (const { table, field } of waiting) {
      try {
        const id = newId('fld');
        const given = renamed((field.make as { given: object }).given);
        await patiently(async () =>
          createField(
            await tableContext(table),
            ids.get(table.id) as string,
            { ...given, id, ...namesOf(field) } as NewField,
          ),
        );
        ids.set(field.id, id);
      } catch (error) {
        if (!(error instanceof ApiError) || error.passes !== 'no') throw error;
        failed.push({ table, field });
      }
    }
    isMoving = failed.length < waiting.length;
    waiting = failed;
  }
  for (const { table, field } of waiting)
    note({
      table: table.name,
      field: field.name,
      reason: 'what it computes could not be told here, and it was left out',
    });
  const own = new Set(ids.values());
  for (const table of other.tables) {
    for (const [at, view] of table.views.entries()) {
      // The first grid is there already.
      if (
        at === 0 &&
        view['type'] === 'grid' &&
        view['filter'] == null &&
        view['sort'] == null &&
        view['group'] == null
      )
        continue;
      const {
        name: viewName,
        columnMeta,
        ...rest
      } = Object.fromEntries(
        Object.entries(renamed(view)).filter(([, value]) => value !== null && value !== undefined),
      );
      if (!(viewTypes as readonly unknown[]).includes(rest['type'])) {
        note({
          table: table.name,
          view: String(viewName),
          reason: `there are no views of type ${String(rest['type'])}`,
        });
        continue;
      }
      // Some fields have stayed behind.
      const columns = Object.entries((columnMeta ?? {}) as Record<string, unknown>).filter(([fieldId]) =>
        own.has(fieldId),
      );
      await attempt({ table: table.name, view: String(viewName), reason: 'the view was not made' }, async () => {
        await createView(
          await tableContext(table),
          ids.get(table.id) as string,
          { name: String(viewName), ...rest, columnMeta: Object.fromEntries(columns) } as NewView,
        );
      });
    }
  }
  for (const table of other.tables) {
    if (table.comments === undefined) continue;
    try {
      for await (const comments of table.comments()) {
        signal.throwIfAborted();
        const context = await patiently(() => tableContext(table));
        const given = comments.map(({ id, recordId, quoteId, content, createdTime }) => {
          ids.set(id, newId('com'));
          return {
            id: ids.get(id) as string,
            recordId: ids.get(recordId) ?? '',
            quoteId: quoteId === null ? null : (ids.get(quoteId) ?? null),
            content,
            createdBy: context.principal.userId,
            createdTime,
          };
        });
        await patiently(() =>
          context.db.transaction(async (tx) =>
            addComments(tx, await loadTable(tx, base.id, ids.get(table.id) as string), given, {
              ...operationOf(context, 'comment'),
              kind: 'comment',
            }),
          ),
        );
      }
    } catch (error) {
      // A key that may not read them is no reason to lose the rest.
      if (!(error instanceof GiveUp) && !(error instanceof ApiError && error.passes === 'no')) throw error;
      note({ table: table.name, reason: `its comments were not read: ${error.message}` });
    }
  }
  return {
    baseId: base.id,
    tables: other.tables.map((table) => ({
      id: ids.get(table.id) as string,
      name: table.name,
      records: counts.get(table) ?? 0,
    })),
    left,
  };
};
