// The band of colour at the top of a card: the colour of what a select field says.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { choiceColor } from '../cell/choice-color.ts';
import { choicesOf, listOf } from '../cell/cell-text.ts';

export const coverFields = (fields: readonly Field[]): Field[] => fields.filter(({ type }) => type === 'singleSelect' || type === 'multipleSelect');

export const coverFieldOf = (view: View, fields: readonly Field[]): Field | undefined => coverFields(fields).find(({ id }) => id === view.options['colorFieldId']);

/** A band is thin: the pale colours of pills would hardly be seen. */
const bright = (color: string): string => color.replace(/(Light2|Light1|Bright|Dark1)?$/, 'Bright');

export const CardCover = ({ record, field }: { record: RecordVo; field: Field | undefined }) => {
  if (field === undefined) return null;
  const names = listOf(record.fields[field.id]);
  const colors = choicesOf(field).filter(({ name }) => names.includes(name)).map(({ color }) => choiceColor(bright(color)).background);
  if (colors.length === 0) return <div className="h-1.5 bg-sunken" />;
  return <div className="h-1.5" style={{ background: colors.length === 1 ? colors[0] : `linear-gradient(90deg, ${colors.map((color, at) => `${color} ${(100 * at) / colors.length}% ${(100 * (at + 1)) / colors.length}%`).join(', ')})` }} />;
};
