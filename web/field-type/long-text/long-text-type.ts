import { AlignLeft } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';
import { plainText } from './plain-text.ts';
import { textCells } from '../single-line-text/single-line-text-type.ts';

export const longText: FieldTypeEntry = {
  label: 'Long text',
  meaning: 'Several lines of text',
  icon: AlignLeft,
  ...textCells,
  plain: plainText,
  isLarge: true,
};
