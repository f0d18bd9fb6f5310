import { Paperclip } from 'lucide-react';
import { filesOf } from '../cell/cell-parts.ts';
import { type FieldTypeEntry, refuse } from '../field-type.ts';

export const attachment: FieldTypeEntry = {
  label: 'Files',
  meaning: 'Images, documents and other files',
  icon: Paperclip,
  text: (_field, value) =>
    filesOf(value)
      .map(({ name, token }) => `${name} (${token})`)
      .join(', '),
  show: (_field, value) => ({ as: 'files', files: filesOf(value) }),
  takesLists: true,
  isLarge: true,
  read: (_field, text) => refuse(text, 'is not a file. Open the cell to add one.'),
  valueKind: 'file',
};
