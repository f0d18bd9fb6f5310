// What a share shows, as fields and cells that need nothing else: another base has neither the tables that it links to nor its people.
import type { Field, NewField } from '@rowhouse/contract/field.ts';

/** What can be taken over as it is. */
const plainTypes = new Set([
  'singleLineText',
  'longText',
  'number',
  'rating',
  'checkbox',
  'date',
  'singleSelect',
  'multipleSelect',
  'attachment',
]);

export interface PlainField {
  from: Field;
  to: NewField & { id: string };
  /** Its cells become text. */
  isText: boolean;
}

const withNewChoices = (options: Record<string, unknown>): Record<string, unknown> =>
  Array.isArray(options.choices)
    ? {
        ...options,
        choices: (options.choices as { name: string; color?: string }[]).map(({ name, color }) => ({
          name,
          ...(color === undefined ? {} : { color }),
        })),
      }
    : options;

const formattingOf = ({ options: { formatting } }: Field): Record<string, unknown> =>
  formatting === undefined ? {} : { formatting };

const typeOf = (field: Field): Pick<NewField, 'type'> & { options?: Record<string, unknown>; isText: boolean } => {
  const { type, options, cellValueType, isMultipleCellValue } = field;
  if (plainTypes.has(type) && field.isComputed !== true)
    return { type, options: withNewChoices(options), isText: false };
  if (isMultipleCellValue === true) return { type: 'longText', isText: true };
  if (cellValueType === 'number')
    return {
      type: 'number',
      options: type === 'autoNumber' || type === 'rating' ? {} : formattingOf(field),
      isText: false,
    };
  if (cellValueType === 'dateTime') return { type: 'date', options: formattingOf(field), isText: false };
  if (cellValueType === 'boolean') return { type: 'checkbox', isText: false };
  return { type: type === 'longText' ? 'longText' : 'singleLineText', isText: true };
};

/** The first one names the records: it has to be of a type that can. */
export const plainFields = (fields: readonly Field[], newId: () => string): PlainField[] =>
  fields.map((from, at) => {
    const { isText, ...to } = typeOf(from);
    const mustBeText = at === 0 && (to.type === 'attachment' || to.type === 'checkbox');
    return {
      from,
      isText: isText || mustBeText,
      to: {
        id: newId(),
        name: from.name,
        ...(from.description === undefined ? {} : { description: from.description }),
        ...(mustBeText ? { type: 'singleLineText' } : to),
      },
    };
  });

const plainText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(plainText).join(', ');
  if (typeof value !== 'object' || value === null) return value === null || value === undefined ? '' : String(value);
  const { title, name } = value as { title?: unknown; name?: unknown };
  return plainText(title ?? name);
};

export const plainCells = (
  fields: readonly PlainField[],
  cells: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ from, to, isText }) => {
      const value = cells[from.id];
      return value === undefined || value === null ? [] : [[to.id, isText ? plainText(value) : value]];
    }),
  );
