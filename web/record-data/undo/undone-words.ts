// What was undone or done again, in words.
import type { Leftover, SideEffect } from '@rowhouse/contract/history.ts';
import type { UndoneChange } from '@rowhouse/contract/undo-redo.ts';
import type { SideEffectCounts } from '../../app/side-effects.ts';
import { counted } from '../../ui/toast.ts';

const listed = (kind: string, names: readonly string[]): string =>
  names.length > 2
    ? `${names.length} ${kind}s`
    : `${kind}${names.length === 1 ? '' : 's'} ${names.map((name) => `“${name}”`).join(' and ')}`;

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
    const union = (one: readonly string[] = [], other: readonly string[] = []): string[] => [
      ...new Set([...one, ...other]),
    ];
    sums.set(
      key,
      known === undefined
        ? change
        : {
            kind: change.kind,
            count: known.count + change.count,
            fields: union(known.fields, change.fields),
            views: union(known.views, change.views),
          },
    );
  }
  return [...sums.values()];
};

/** What a change made beside its own cells. */
export const madeWords = (
  { records, choices }: SideEffectCounts,
  nameOf: (tableId: string) => string | undefined,
): string[] => [
  ...Object.entries(records).map(
    ([tableId, count]) => `${counted(count, 'record')} created in ${nameOf(tableId) ?? 'another table'}`,
  ),
  ...(choices === 0 ? [] : [`${counted(choices, 'choice')} added`]),
];

const besideWords: Record<SideEffect['kind'], (effect: SideEffect) => string> = {
  recordsDeleted: ({ count, table }) => `${counted(count, 'record')} removed from ${table}`,
  recordsRestored: ({ count, table }) => `${counted(count, 'record')} restored in ${table}`,
  choicesRemoved: ({ count }) => `${counted(count, 'choice')} removed`,
  choicesAdded: ({ count }) => `${counted(count, 'choice')} added`,
};

const summedEffects = (effects: readonly SideEffect[]): SideEffect[] => {
  const sums = new Map<string, SideEffect>();
  for (const effect of effects) {
    const key = `${effect.kind} ${effect.kind.startsWith('records') ? effect.tableId : ''}`;
    sums.set(key, { ...effect, count: effect.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
};

/** Why something stays that came with what was undone. */
export const leftWords = (left: readonly Leftover[], total: number): string | undefined => {
  const texts = [...new Set(left.map(({ message }) => message))];
  if (texts[0] === undefined) return undefined;
  return `${texts.slice(0, 2).join('. ')}.${total > left.length || texts.length > 2 ? ` ${counted(total, 'thing')} in all.` : ''}`;
};

export const undoneWords = (
  way: 'undo' | 'redo',
  changes: readonly UndoneChange[],
  sideEffects: readonly SideEffect[] = [],
): string => {
  if (changes.length === 0 && sideEffects.length === 0)
    return way === 'undo'
      ? 'Everything is as it was before that change already.'
      : 'Everything is as that change left it already.';
  return `${way === 'undo' ? 'Undone' : 'Redone'}: ${[...summed(changes).map((change) => words[change.kind](change)), ...summedEffects(sideEffects).map((effect) => besideWords[effect.kind](effect))].join(', ')}.`;
};
