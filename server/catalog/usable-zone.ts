// The time zone of a field that shows dates.
import type { Queryable } from '../db/db.ts';
import type { FieldSchema } from './table.ts';
import { knowsZone } from './time-zone.sql.ts';

/** Undefined for fields without one. */
export const zoneOf = ({ options }: Pick<FieldSchema, 'options'>): string | undefined => {
  const zone = (options.formatting as { timeZone?: unknown } | undefined)?.timeZone;
  return typeof zone === 'string' ? zone : undefined;
};

/** The field with UTC in place of a zone that this PostgreSQL does not know: its cells can be read, if not on the right clock. */
export const withUsableZone = async (db: Queryable, field: FieldSchema): Promise<FieldSchema> => {
  const zone = zoneOf(field);
  if (zone === undefined || (await knowsZone(db, zone))) return field;
  return { ...field, options: { ...field.options, formatting: { ...(field.options.formatting as object), timeZone: 'UTC' } } };
};
