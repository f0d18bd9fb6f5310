// What a role may in a table, in a few words: for the cell of the matrix, and for those who hear it read out.
import type { GrantAction } from '@rowhouse/contract/authority-matrix.ts';
import type { Grant } from './queries.ts';

export const actionWords: Record<GrantAction, string> = {
  'record|read': 'See records',
  'record|create': 'Add records',
  'record|update': 'Change records',
  'record|delete': 'Delete records',
  'record|comment': 'Comment',
  'record|copy': 'Copy records',
  'table|import': 'Import',
  'table|export': 'Export',
  'view|create': 'Make views',
  'view|update': 'Change views',
  'view|delete': 'Delete views',
  'table_record_history|read': 'See the history',
};

interface Summary {
  /** As "Change, own records": the most that it allows. */
  title: string;
  /** As "3 fields". */
  details: string[];
}

const has = (grants: readonly Grant[], action: GrantAction): Grant[] =>
  grants.filter(({ actions }) => actions.includes(action));

/** The records that grants are for: all of them as soon as one is. */
const someRecords = (grants: readonly Grant[]): boolean =>
  grants.length > 0 && grants.every(({ when }) => when != null && when.filterSet.length > 0);

const fieldCount = (grants: readonly Grant[]): number | null =>
  grants.some(({ fields = null }) => fields === null)
    ? null
    : new Set(grants.flatMap(({ fields }) => fields ?? [])).size;

export const summaryOf = (grants: readonly Grant[]): Summary => {
  const read = has(grants, 'record|read');
  const change = has(grants, 'record|update');
  const add = has(grants, 'record|create');
  if (read.length === 0 && change.length === 0) return { title: add.length > 0 ? 'Add only' : 'Nothing', details: [] };
  const details = [
    ...(someRecords(read) ? ['some records'] : []),
    ...(fieldCount(read) === null ? [] : [`${fieldCount(read)} ${fieldCount(read) === 1 ? 'field' : 'fields'}`]),
    ...(change.length > 0 && someRecords(change) && !someRecords(read) ? ['changes some'] : []),
    ...(change.some(({ after }) => after != null) ? ['checked afterwards'] : []),
    ...(add.length > 0 && change.length === 0 ? ['adds'] : []),
    ...(has(grants, 'record|delete').length > 0 || change.length === 0 ? [] : ['deletes nothing']),
  ];
  return { title: change.length > 0 ? 'Change' : 'See', details };
};
