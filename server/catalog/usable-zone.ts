// The time zone of a field that shows dates.
import type { Queryable } from '../db/db.ts';
import type { FieldSchema } from './table.ts';
import { knowsZone } from './time-zone.sql.ts';

/** Undefined for fields without one. */
export const zoneOf = ({ options }: Pick<FieldSchema, 'options'>): string | undefined => {
  const zone = (options.formatting as { timeZone?: unknown } | undefined)?.timeZone;
  return typeof zone === 'string' ? zone : undefined;
};

/** The zone that a formula computes in. */
export const ownZoneOf = ({ options }: Pick<FieldSchema, 'options'>): string | undefined =>
  typeof options.timeZone === 'string' ? options.timeZone : undefined;

/** The field with UTC in place of a zone that this PostgreSQL does not know: its cells can be read, if not on the right clock. */
export const withUsableZone = async (db: Queryable, field: FieldSchema): Promise<FieldSchema> => {
  const [zone, own] = [zoneOf(field), ownZoneOf(field)];
  const [isShown, isComputed] = [
    zone === undefined || (await knowsZone(db, zone)),
    own === undefined || (await knowsZone(db, own)),
  ];
  if (isShown && isComputed) return field;
  const formatting = isShown ? {} : { formatting: { ...(field.options.formatting as object), timeZone: 'UTC' } };
  return { ...field, options: { ...field.options, ...formatting, ...(isComputed ? {} : { timeZone: 'UTC' }) } };
};
