// Why a chart is broken, for people: which choice of the editor it is about, and what would help.
import type { Problem } from '@rowhouse/contract/chart-data.ts';

const places: readonly [RegExp, string][] = [
  [/^tableId/, 'The table'],
  [/^viewId/, 'The view'],
  [/^filter/, 'A field of the filter'],
  [/^group/, 'The field it is grouped by'],
  [/^split/, 'The field it is split by'],
  [/^rows/, 'The field of the rows'],
  [/^columns/, 'The field of the columns'],
  [/^measures?/, 'The field that is calculated'],
  [/^trend/, 'The date field of the trend'],
  [/^(x|y|size)$/, 'A field of the axes'],
  [/^fieldIds/, 'A field of the list'],
  [/^sort/, 'The field it is sorted by'],
];

const reasons: Record<Problem['code'], string> = {
  noTable: 'was deleted, or you may not see it.',
  noView: 'was deleted, or you may not see it.',
  noField: 'was deleted, or you may not see it.',
  unfit: 'has another type now, which does not fit here.',
  unreadable: 'What is saved for this chart is not understood. Edit it to choose everything again.',
};

export const problemWords = ({ path, code }: Problem): string => {
  if (code === 'unreadable') return reasons.unreadable;
  const subject = places.find(([form]) => form.test(path))?.[1] ?? 'Something this chart is made of';
  return `${subject} ${reasons[code]}`;
};
