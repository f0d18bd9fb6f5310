import type { ComponentType } from 'react';
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { DateEditor } from './date-editor.tsx';
import type { EditorProps } from './editor-props.ts';
import { FilesEditor } from './files-editor.tsx';
import { LinkEditor } from './link-editor.tsx';
import { NumberEditor } from './number-editor.tsx';
import { PeopleEditor } from './people-editor.tsx';
import { RatingEditor } from './rating-editor.tsx';
import { SelectEditor } from './select-editor.tsx';
import { TextEditor } from './text-editor.tsx';

const editors: Partial<Record<FieldTypeName, ComponentType<EditorProps>>> = {
  number: NumberEditor,
  date: DateEditor,
  rating: RatingEditor,
  singleSelect: SelectEditor,
  multipleSelect: SelectEditor,
  user: PeopleEditor,
  attachment: FilesEditor,
  link: LinkEditor,
};

export const CellEditor = (props: EditorProps) => {
  const Editor = editors[props.field.type] ?? TextEditor;
  return <Editor {...props} />;
};
