import type { Field } from '@rowhouse/contract/field.ts';
import { Star } from 'lucide-react';
import { type Draft, type FieldTypeEntry, fits, refuse } from '../field-type.ts';
import { numberInAddress } from '../number/number-type.ts';

export const mostStars = ({ options }: Pick<Field, 'options'>): number =>
  typeof options['max'] === 'number' ? options['max'] : 5;

const readStars = (field: Field, text: string): Draft => {
  const most = mostStars(field);
  const count = /^[★⭐]+$/u.test(text) ? [...text].length : Number(text);
  return Number.isInteger(count) && count >= 0 && count <= most
    ? fits(count === 0 ? null : count)
    : refuse(text, `is not a rating from 0 to ${most}.`);
};

export const rating: FieldTypeEntry = {
  label: 'Rating',
  meaning: 'One to ten stars',
  icon: Star,
  text: (_field, value) => String(value),
  show: (field, value) => ({ as: 'stars', count: typeof value === 'number' ? value : 0, most: mostStars(field) }),
  read: readStars,
  valueKind: 'rating',
  // The other field may have more stars.
  readValue: (field, value) => readStars(field, String(value)),
  readAddress: (_field, text) => numberInAddress(text),
  defaultIsCell: true,
  example: (field) => Math.min(3, mostStars(field)),
};
