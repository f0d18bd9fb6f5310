import { invalid } from '@rowhouse/contract/error.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { knowsZone } from '../../catalog/time-zone.sql.ts';
import { ownZoneOf, zoneOf } from '../../catalog/usable-zone.ts';
import type { Queryable } from '../../db/db.ts';

/** `at`: where the options of the field are in the request. */
export const demandZone = async (db: Queryable, field: FieldSchema, at: string): Promise<void> => {
  for (const [zone, path] of [
    [zoneOf(field), 'formatting.timeZone'],
    [ownZoneOf(field), 'timeZone'],
  ] as const) {
    if (zone !== undefined && !(await knowsZone(db, zone))) throw unknownZone(zone, `${at}.${path}`);
  }
};

const unknownZone = (zone: string, path: string): Error =>
  invalid({
    path,
    message: `The database of this server does not know the time zone ${zone}`,
    expected: 'an IANA time zone such as Europe/Berlin',
  });
