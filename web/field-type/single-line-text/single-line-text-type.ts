import { Barcode, Globe, Mail, Phone, Type } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';

/** Cells that are text as it was typed. */
export const textCells = {
  text: (_field, value) => String(value),
  valueKind: 'text',
  readAddress: (_field, text) => text.slice(0, 10_000),
  defaultIsCell: true,
  example: () => 'Some text',
} satisfies Partial<FieldTypeEntry>;

export const singleLineText: FieldTypeEntry = {
  label: 'Text',
  meaning: 'One line of text',
  icon: Type,
  variants: [
    { label: 'E-mail', meaning: 'Text that opens a message', icon: Mail, options: { showAs: { type: 'email' } } },
    { label: 'URL', meaning: 'Text that opens a web page', icon: Globe, options: { showAs: { type: 'url' } } },
    { label: 'Phone', meaning: 'Text that calls a number', icon: Phone, options: { showAs: { type: 'phone' } } },
    { label: 'Barcode', meaning: 'Digits kept as text, with zeros in front', icon: Barcode, options: {} },
  ],
  ...textCells,
};
