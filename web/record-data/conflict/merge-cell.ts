// A cell that somebody else has changed since an edit was made on it.
import type { Field } from '@rowhouse/contract/field.ts';
import { isList } from '../merge-changes.ts';
import { mergeCells } from '../merge-changes.ts';
import { mergeText } from './merge-text.ts';

/** Both changes in one value, where the type of the field lets them stand together. undefined: the person decides. */
export const mergeCell = (
  field: Field | undefined,
  before: unknown,
  mine: unknown,
  now: unknown,
): { value: unknown } | undefined => {
  if (field === undefined) return undefined;
  if (isList(field)) return { value: mergeCells(before, mine, now) };
  if (field.type !== 'longText' || typeof before !== 'string' || typeof mine !== 'string' || typeof now !== 'string')
    return undefined;
  const merged = mergeText(before, mine, now);
  return merged === undefined ? undefined : { value: merged };
};
