// What was undone or done again, in words.
import type { UndoneChange } from '@rowhouse/contract/undo-redo.ts';
import { counted } from '../../ui/toast.ts';

const listed = (kind: string, names: readonly string[]): string => (names.length > 2 ? `${names.length} ${kind}s` : `${kind}${names.length === 1 ? '' : 's'} ${names.map((name) => `“${name}”`).join(' and ')}`);

const words: Record<UndoneChange['kind'], (change: UndoneChange) => string> = {
  cells: ({ count }) => counted(count, 'cell'),
  recordsRestored: ({ count }) => `${counted(count, 'record')} restored`,
  recordsDeleted: ({ count }) => `${counted(count, 'record')} removed`,
  order: ({ count }) => `${counted(count, 'record')} moved`,
  schema: ({ fields = [], views = [] }) => (fields.length > 0 ? listed('field', fields) : listed('view', views)),
};

/** Changes of one kind together. */
const summed = (changes: readonly UndoneChange[]): UndoneChange[] => {
  const sums = new Map<string, UndoneChange>();
  for (const change of changes) {
    const key = change.kind === 'schema' ? `schema ${(change.fields ?? []).length > 0}` : change.kind;
    const known = sums.get(key);
    const union = (one: readonly string[] = [], other: readonly string[] = []): string[] => [...new Set([...one, ...other])];
    sums.set(key, known === undefined ? change : { kind: change.kind, count: known.count + change.count, fields: union(known.fields, change.fields), views: union(known.views, change.views) });
  }
  return [...sums.values()];
};

export const undoneWords = (way: 'undo' | 'redo', changes: readonly UndoneChange[]): string => {
  if (changes.length === 0) return way === 'undo' ? 'Everything is as it was before that change already.' : 'Everything is as that change left it already.';
  return `${way === 'undo' ? 'Undone' : 'Redone'}: ${summed(changes).map((change) => words[change.kind](change)).join(', ')}.`;
};
