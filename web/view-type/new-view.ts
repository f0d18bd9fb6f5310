// A new view of a type, so made that it shows something at once.
import type { Field } from '@rowhouse/contract/field.ts';
import type { NewView, ViewType } from '@rowhouse/contract/view.ts';

/** `Grid`, or `Grid 2` when that is taken. */
export const freeName = (wanted: string, taken: readonly { name: string }[]): string => {
  const names = new Set(taken.map(({ name }) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!names.has(name.toLowerCase())) return name;
  }
};

const shownOnCards = 5;

const onCards = (fields: readonly Field[]): NonNullable<NewView['columnMeta']> =>
  Object.fromEntries(fields.slice(0, shownOnCards).map(({ id }, order) => [id, { order, visible: true }]));

export const newView = (type: ViewType, name: string, fields: readonly Field[]): NewView => {
  if (type === 'kanban') {
    const stack = fields.find((field) => field.type === 'singleSelect' && field.isLookup !== true);
    return {
      type,
      name,
      columnMeta: onCards(fields.filter((field) => field !== stack)),
      ...(stack === undefined ? {} : { options: { stackFieldId: stack.id } }),
    };
  }
  if (type === 'calendar') {
    const date =
      fields.find((field) => field.type === 'date') ?? fields.find((field) => field.cellValueType === 'dateTime');
    return { type, name, ...(date === undefined ? {} : { options: { startDateFieldId: date.id } }) };
  }
  if (type === 'gallery') return { type, name, columnMeta: onCards(fields) };
  return { type, name };
};
