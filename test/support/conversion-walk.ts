// One field that others refer to in every way there is, converted from one kind of cells to another and back: nothing may fail. What refers to it works on,
// forgets the condition, or shows an error. "Works on" is checked against a field that is made again by the same definition.
import { getAggregation, getGroupPoints } from '@rowhouse/contract/aggregation.ts';
import { convertField, createField, deleteField, type Field, listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import {
  enableShare,
  getShare,
  getShareAggregations,
  getShareGroupPoints,
  listShareLinkRecords,
  listShareRecords,
  setShareMeta,
  submitShareForm,
} from '@rowhouse/contract/share.ts';
import { createView, listViews, setViewFilter } from '@rowhouse/contract/view.ts';
import type { Caller, Outcome } from './caller.ts';
import { type Kind, kindsFor, type Pair } from './conversion-kinds.ts';
import type { Workshop } from './tables.ts';

interface Walk extends Pick<Workshop, 'owner' | 'table'> {
  visitor: Caller;
}

interface Shared {
  shareId: string;
  /** Of a form: the link whose candidates are asked for. */
  linkId?: string;
}

interface Scene {
  ownId: string;
  farId: string;
  fieldId: string;
  recordIds: string[];
  shares: Shared[];
  /** How many fields, views and shares refer to the field. */
  partners: number;
}

/** Hears of every answer; what is no success, or with `false` what is a fault of the server, is written down. */
type Note = <T>(what: string, answer: Outcome<T>, mustSucceed?: boolean) => Outcome<T>;

const filterOf = (fieldId: string, { operator }: Kind, value: unknown) => ({
  conjunction: 'and' as const,
  filterSet: [{ fieldId, operator, value }],
});
const text = { type: 'singleLineText' };

/** Two tables: the one of the field, and one whose links, lookups and rollups lead there. Views, forms and shares of both. */
const layScene = async ({ owner: { call }, table }: Walk, kind: Kind, note: Note): Promise<Scene> => {
  const records =
    kind.cell === null
      ? [{ fields: { Name: 'one' } }, { fields: { Name: 'two' } }]
      : [{ fields: { Name: 'one', X: kind.cell } }, { fields: { Name: 'two' } }];
  const one = await table({
    fields: [
      { ...text, name: 'Name' },
      { ...kind.field, name: 'X' },
    ] as never,
    records: records as never,
  });
  const other = await table({
    fields: [
      { ...text, name: 'Name' },
      { ...kind.field, name: 'Y' },
    ] as never,
    records: [],
  });
  const [own, far] = [{ tableId: one.id }, { tableId: other.id }];
  const [nameId, fieldId] = one.fields.map(({ id }) => id) as [string, string];
  const [farNameId, hostId] = other.fields.map(({ id }) => id) as [string, string];
  let partners = 0;
  const add = async (params: { tableId: string }, body: object, mustSucceed = true): Promise<string> => {
    const made = note(
      `setting up ${JSON.stringify(body).slice(0, 200)}`,
      await call(createField, { params, body: body as never }),
      mustSucceed,
    );
    if (made.status < 300) partners += 1;
    return made.body.id;
  };
  const shares: Shared[] = [];
  const view = async (params: { tableId: string }, body: { type: string }, linkId?: string): Promise<void> => {
    const { id: viewId } = note(
      `setting up a view ${JSON.stringify(body).slice(0, 200)}`,
      await call(createView, { params, body: { name: body.type, ...body } as never }),
    ).body;
    const { shareId } = note('sharing', await call(enableShare, { params: { ...params, viewId } })).body;
    if (body.type !== 'form')
      note(
        'sharing records',
        await call(setShareMeta, { params: { ...params, viewId }, body: { includeRecords: true } }),
      );
    partners += 2;
    shares.push({ shareId, ...(linkId === undefined ? {} : { linkId }) });
  };

  const filter = filterOf(fieldId, kind, kind.fixedValue ?? kind.value);
  const linkFieldId = await add(far, {
    type: 'link',
    name: 'Link',
    options: { relationship: 'manyMany', foreignTableId: one.id, filter },
  });
  const through = { foreignTableId: one.id, linkFieldId };
  await add(far, {
    type: 'rollup',
    name: 'Count',
    options: { expression: 'countall({values})' },
    lookupOptions: { ...through, lookupFieldId: nameId, filter },
  });
  await add(far, {
    ...text,
    name: 'Names',
    isLookup: true,
    lookupOptions: {
      ...through,
      lookupFieldId: nameId,
      filter,
      ...(kind.isOpaque === true ? {} : { sort: { fieldId, order: 'asc' } }),
    },
  });
  const ordered: object[] = [];
  if (kind.isOpaque !== true) {
    const shown = await add(far, {
      ...kind.field,
      options: undefined,
      name: 'Xs',
      isLookup: true,
      lookupOptions: { ...through, lookupFieldId: fieldId },
    });
    await add(far, {
      type: 'rollup',
      name: 'Joined',
      options: { expression: 'array_join({values})' },
      lookupOptions: { ...through, lookupFieldId: fieldId },
    });
    await add(far, { type: 'formula', name: 'Of lookup', options: { expression: `{${shown}} & ''` } });
    ordered.push({ fieldId: shown, order: 'asc' });
  }
  const found = { foreignTableId: one.id, lookupFieldId: nameId, filter };
  await add(far, { type: 'conditionalRollup', name: 'Found', options: { expression: 'countall({values})', ...found } });
  await add(far, {
    ...text,
    name: 'Found names',
    isLookup: true,
    isConditionalLookup: true,
    lookupOptions: { ...found, ...(kind.isOpaque === true ? {} : { sort: { fieldId, order: 'desc' }, limit: 1 }) },
  });
  if (kind.isOpaque !== true) {
    // The field beside the host's, and as the host's. Not every kind can be compared like this: then there is no such partner.
    const alike = (foreign: string, host: string) => ({
      conjunction: 'and',
      filterSet: [{ fieldId: foreign, operator: 'is', value: { type: 'field', fieldId: host } }],
    });
    await add(
      far,
      {
        type: 'conditionalRollup',
        name: 'Alike',
        options: { expression: 'countall({values})', ...found, filter: alike(fieldId, hostId) },
      },
      false,
    );
    await add(
      own,
      {
        type: 'conditionalRollup',
        name: 'Alike',
        options: {
          expression: 'countall({values})',
          foreignTableId: other.id,
          lookupFieldId: farNameId,
          filter: alike(hostId, fieldId),
        },
      },
      false,
    );
  }
  // As the title of linked records: not every kind can be one.
  await add(
    far,
    {
      type: 'link',
      name: 'By X',
      options: { relationship: 'manyMany', foreignTableId: one.id, lookupFieldId: fieldId, isOneWay: true },
    },
    false,
  );
  const formula = await add(own, { type: 'formula', name: 'Formula', options: { expression: `{${fieldId}} & ''` } });
  await add(own, { type: 'formula', name: 'Length', options: { expression: `LEN({${formula}})` } });

  const sorted =
    kind.isOpaque === true
      ? {}
      : { sort: { sortObjs: [{ fieldId, order: 'asc' }] }, group: [{ fieldId, order: 'asc' }] };
  await view(own, {
    type: 'grid',
    filter: filterOf(fieldId, kind, kind.value),
    ...sorted,
    columnMeta: { [fieldId]: { statisticFunc: 'empty' } },
  } as never);
  await view(own, {
    type: 'grid',
    filter: { conjunction: 'or', filterSet: [filter, filterOf(nameId, { operator: 'is' } as Kind, 'one')] },
  } as never);
  for (const { type, option } of kind.views) await view(own, { type, options: { [option]: fieldId } } as never);
  const isAsked = kind.field.type !== 'formula';
  await view(own, {
    type: 'form',
    columnMeta: {
      ...(isAsked ? { [fieldId]: { visible: true } } : {}),
      [nameId]: { visible: true, ...(isAsked ? { condition: filter } : {}) },
    },
  } as never);
  await view(
    far,
    { type: 'form', columnMeta: { [farNameId]: { visible: true }, [linkFieldId]: { visible: true } } } as never,
    linkFieldId,
  );
  await view(far, { type: 'grid', sort: { sortObjs: ordered } } as never);
  note(
    'linking',
    await call(createRecords, {
      params: far,
      body: { records: [{ fields: { Name: 'far', Link: [{ id: one.records[0]?.id }] } }], typecast: true } as never,
    }),
  );
  return { ownId: one.id, farId: other.id, fieldId, recordIds: one.records.map(({ id }) => id), shares, partners };
};

const isDerived = ({ isLookup, type }: Field): boolean =>
  isLookup === true || ['rollup', 'conditionalRollup', 'formula'].includes(type);

/** A field that shows no error can be made once more as it is, and then has the same cells. */
const compareWithNew = async (
  { owner: { call } }: Walk,
  tableId: string,
  fieldId: string,
  note: Note,
  fault: (line: string) => void,
): Promise<void> => {
  const params = { tableId };
  const { body: fields } = note('listing fields', await call(listFields, { params }));
  for (const field of fields.filter((one) => one.id !== fieldId && isDerived(one) && one.hasError !== true)) {
    const { type, options, isLookup, isConditionalLookup, lookupOptions } = field;
    const made = note(
      `making "${field.name}" again`,
      await call(createField, {
        params,
        body: { type, options, isLookup, isConditionalLookup, lookupOptions } as never,
      }),
    );
    if (made.status > 299) continue;
    const { body } = note('listing records', await call(listRecords, { params, query: { fieldKeyType: 'id' } }));
    const wrong = body.records?.find(
      ({ fields: cells }) => JSON.stringify(cells[field.id]) !== JSON.stringify(cells[made.body.id]),
    );
    if (wrong !== undefined)
      fault(
        `"${field.name}" holds ${JSON.stringify(wrong.fields[field.id])}, and made again ${JSON.stringify(wrong.fields[made.body.id])}`,
      );
    note('deleting it', await call(deleteField, { params: { tableId, fieldId: made.body.id } }));
  }
};

/** Everything is read, written and shown to visitors once. A share may be held: then it says so. */
const useAll = async (
  walk: Walk,
  { ownId, farId, fieldId, recordIds, shares }: Scene,
  note: Note,
  fault: (line: string) => void,
): Promise<void> => {
  const {
    owner: { call },
    visitor,
  } = walk;
  for (const tableId of [ownId, farId]) {
    const params = { tableId };
    note(
      'creating a record',
      await call(createRecords, {
        params,
        body: {
          records: [
            { fields: tableId === farId ? { Name: 'more', Link: [{ id: recordIds[1] as string }] } : { Name: 'more' } },
          ],
        } as never,
      }),
    );
    await compareWithNew(walk, tableId, fieldId, note, fault);
    for (const { id: viewId, type, filter } of (await call(listViews, { params })).body) {
      if (type === 'form') continue;
      const query = { viewId } as never;
      note(`listing a ${type}`, await call(listRecords, { params, query }));
      note(`statistics of a ${type}`, await call(getAggregation, { params, query }));
      note(`groups of a ${type}`, await call(getGroupPoints, { params, query }));
      if (filter !== null && filter !== undefined)
        note(
          `the filter of a ${type} as it is`,
          await call(setViewFilter, { params: { ...params, viewId }, body: { filter } as never }),
        );
    }
  }
  for (const { shareId, linkId } of shares) {
    const params = { shareId };
    note('opening a share', await visitor(getShare, { params }), false);
    note('records of a share', await visitor(listShareRecords, { params, query: {} }), false);
    note('statistics of a share', await visitor(getShareAggregations, { params, query: {} }), false);
    note('groups of a share', await visitor(getShareGroupPoints, { params, query: {} }), false);
    note('submitting a form', await visitor(submitShareForm, { params, body: { fields: {} } }), false);
    if (linkId !== undefined)
      note('what a form links to', await visitor(listShareLinkRecords, { params, query: { fieldId: linkId } }), false);
  }
};

interface Walked {
  /** What went wrong, one line each. */
  faults: string[];
  /** How many fields, views and shares referred to the fields that were converted. */
  partners: number;
  requests: number;
}

export const walkConversions = async (
  walk: Walk,
  pairs: readonly Pair[],
  say: (line: string) => void = () => undefined,
): Promise<Walked> => {
  const faults: string[] = [];
  let [partners, requests] = [0, 0];
  const linked = await walk.table({
    fields: [{ ...text, name: 'Name' }] as never,
    records: [{ fields: { Name: 'a' } }] as never,
  });
  const kinds = kindsFor({
    userId: walk.owner.userId,
    linkedTableId: linked.id,
    linkedRecordId: linked.records[0]?.id as string,
  });
  for (const [from, to] of pairs) {
    const before = faults.length;
    const fault = (line: string): void => void faults.push(`${from} to ${to}, ${line}`);
    const [kind, next] = [kinds[from] as Kind, kinds[to] as Kind];
    let step = '';
    const note: Note = (what, answer, mustSucceed = true) => {
      requests += 1;
      if (answer.status > (mustSucceed ? 299 : 499))
        fault(`${step}${what}: ${answer.status} ${answer.error?.message ?? ''}`);
      return answer;
    };
    try {
      const scene = await layScene(walk, kind, note);
      const convert = async (body: Kind['field']): Promise<void> =>
        void note(
          'converting',
          await walk.owner.call(convertField, {
            params: { tableId: scene.ownId, fieldId: scene.fieldId },
            body: body as never,
          }),
        );
      partners += scene.partners;
      step = 'then ';
      await convert(next.field);
      await useAll(walk, scene, note, fault);
      step = 'and back, ';
      await convert(kind.field);
      await useAll(walk, scene, note, fault);
    } catch (error) {
      // The caller throws when an answer is not what the contract says.
      fault(`${step}${String(error).slice(0, 500)}`);
    }
    say(`${from} to ${to}: ${faults.length - before} wrong`);
  }
  return { faults, partners, requests };
};
