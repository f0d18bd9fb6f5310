// What a change of rights does, in words.
import type { GrantAction } from '@rowhouse/contract/authority-matrix.ts';
import type { Extent, TableChange } from '@rowhouse/contract/rights-explained.ts';
import { actionWords } from './grant-words.ts';

const listed = (names: readonly string[]): string =>
  names.length < 4 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

const numbers = new Intl.NumberFormat('en');
const records = (count: number): string => `${numbers.format(count)} ${count === 1 ? 'record' : 'records'}`;

const actions = (list: readonly GrantAction[]): string =>
  listed(list.map((action) => actionWords[action].toLowerCase()));

const seen: Record<Extent, number> = { none: 0, some: 1, all: 2 };

interface Told {
  kind: 'gain' | 'loss' | 'same';
  text: string;
}

const fieldLines = ({ fields }: TableChange): Told[] => {
  const named = (list: TableChange['fields']): string => listed(list.map(({ name }) => name));
  const come = fields.filter(({ before, after }) => before === 'none' && after !== 'none');
  const go = fields.filter(({ after }) => after === 'none');
  const [goPlain, goComputed] = [go.filter(({ isComputed }) => !isComputed), go.filter(({ isComputed }) => isComputed)];
  const others = fields.filter((field) => !come.includes(field) && !go.includes(field));
  const less = others.filter(({ before, after }) => seen[after] < seen[before]);
  const other = others.filter((field) => !less.includes(field));
  return [
    ...(come.length === 0 ? [] : [{ kind: 'gain' as const, text: `See ${named(come)}` }]),
    ...(goPlain.length === 0 ? [] : [{ kind: 'loss' as const, text: `No longer see ${named(goPlain)}` }]),
    ...(goComputed.length === 0
      ? []
      : [
          { kind: 'loss' as const, text: `No longer see ${named(goComputed)}: computed from something that is hidden` },
        ]),
    ...(less.length === 0 ? [] : [{ kind: 'loss' as const, text: `See ${named(less)} in fewer records` }]),
    ...(other.length === 0 ? [] : [{ kind: 'same' as const, text: `See ${named(other)} in other records` }]),
  ];
};

const titles = (list: TableChange['gained'], count: number): string => {
  const named = list.flatMap(({ title }) => title ?? []);
  if (named.length === 0) return '';
  return `: ${named.join(', ')}${count > named.length ? ' …' : ''}`;
};

const recordLines = ({ records: counts, tookTooLong, gained, lost }: TableChange): Told[] => {
  if (tookTooLong === true) return [{ kind: 'same', text: 'Counting the records takes too long here' }];
  if (counts === undefined) return [];
  const total = {
    kind: 'same' as const,
    text: `${records(counts.before)} before, ${numbers.format(counts.after)} after`,
  };
  return [
    total,
    ...(counts.gained === 0
      ? []
      : [{ kind: 'gain' as const, text: `${records(counts.gained)} more${titles(gained, counts.gained)}` }]),
    ...(counts.lost === 0
      ? []
      : [{ kind: 'loss' as const, text: `${records(counts.lost)} fewer${titles(lost, counts.lost)}` }]),
  ];
};

/** A table that goes is said in one line, not by all that is in it. */
const isGone = ({ actions: { lost } }: TableChange): boolean => lost.includes('record|read');

const detailLines = (change: TableChange): Told[] => [
  ...fieldLines(change),
  ...(change.actions.gained.length === 0
    ? []
    : [{ kind: 'gain' as const, text: `May ${actions(change.actions.gained)}` }]),
  ...(change.actions.lost.length === 0
    ? []
    : [{ kind: 'loss' as const, text: `May no longer ${actions(change.actions.lost)}` }]),
];

export const changeLines = (change: TableChange): Told[] => [
  ...recordLines(change),
  ...(isGone(change)
    ? [{ kind: 'loss' as const, text: 'Nothing of this table is there any more' }]
    : detailLines(change)),
];
