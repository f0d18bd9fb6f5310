import { Sigma } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';

export const autoNumber: FieldTypeEntry = {
  label: 'Auto number',
  meaning: 'Numbers records 1, 2, 3…',
  icon: Sigma,
  text: (_field, value) => String(value),
  show: () => ({ as: 'text', isNumber: true }),
  valueKind: 'number',
};
