// How the cells of each field type are edited; those that are not named are typed as text.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { filesEditing } from './attachment/files-editor.tsx';
import { checkboxEditing } from './checkbox/checkbox-editor.tsx';
import { dateEditing } from './date/date-editor.tsx';
import type { CellEditing, EditorProps } from './editor/editor-props.ts';
import { LineEditor, LinesEditor } from './editor/text-editor.tsx';
import { linkEditing } from './link/link-editor.tsx';
import { numberEditing } from './number/number-editor.tsx';
import { ratingEditing } from './rating/rating-editor.tsx';
import { selectEditing } from './single-select/select-editor.tsx';
import { peopleEditing } from './user/people-editor.tsx';

const typed: CellEditing = { Editor: LineEditor, frame: 'line' };

const editings: Partial<Record<FieldTypeName, CellEditing>> = {
  longText: { Editor: LinesEditor, frame: 'lines' },
  number: numberEditing,
  date: dateEditing,
  checkbox: checkboxEditing,
  rating: ratingEditing,
  singleSelect: selectEditing,
  multipleSelect: selectEditing,
  user: peopleEditing,
  attachment: filesEditing,
  link: linkEditing,
};

export const editingOf = (type: FieldTypeName): CellEditing => editings[type] ?? typed;

export const CellEditor = (props: EditorProps) => {
  const { Editor } = editingOf(props.field.type);
  return <Editor {...props} />;
};
