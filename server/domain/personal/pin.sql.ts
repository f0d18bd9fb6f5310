// The one writer of rowhouse.pins.
import type { Pin, PinType } from '@rowhouse/contract/pin.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { type Location, seesBase, seesSpace } from './location.sql.ts';

export interface Target {
  type: PinType;
  id: string;
}

/** At the end; false when it is pinned already. */
export const insertPin = async (
  db: Queryable,
  userId: string,
  { type, id }: Target,
  { spaceId, baseId, tableId }: Location,
): Promise<boolean> => {
  const rows = await db.query(
    sql`insert into rowhouse.pins (user_id, type, resource_id, space_id, base_id, table_id, position)
        select ${userId}, ${type}, ${id}, ${spaceId}, ${baseId}, ${tableId}, coalesce(max(position), 0) + 1 from rowhouse.pins where user_id = ${userId}
        on conflict do nothing returning 1`,
  );
  return rows.length > 0;
};

export const removePin = async (db: Queryable, userId: string, { type, id }: Target): Promise<boolean> =>
  (
    await db.query(
      sql`delete from rowhouse.pins where user_id = ${userId} and type = ${type} and resource_id = ${id} returning 1`,
    )
  ).length > 0;

interface PinRow extends Target {
  order: number;
  name: string;
  icon: string | null;
  baseId: string | null;
  tableId: string | null;
  viewType: NonNullable<Pin['viewMeta']>['type'] | null;
}

/** Those that the user still sees. */
export const selectPins = (db: Queryable, userId: string): Promise<PinRow[]> =>
  many<PinRow>(
    db,
    sql`select p.type, p.resource_id as id, p.position as order, coalesce(v.name, t.name, b.name, s.name) as name,
               case p.type when 'base' then b.icon when 'table' then t.icon end as icon, p.base_id as "baseId", p.table_id as "tableId", v.type as "viewType"
        from rowhouse.pins p
        left join rowhouse.spaces s on p.type = 'space' and s.id = p.space_id and ${seesSpace(userId)}
        left join rowhouse.bases b on b.id = p.base_id and ${seesBase(userId)}
        left join rowhouse.tables t on t.id = p.table_id and t.deleted_time is null
        left join rowhouse.views v on p.type = 'view' and v.id = p.resource_id
        where p.user_id = ${userId}
          and case p.type when 'space' then s.id is not null when 'base' then b.id is not null
                          when 'table' then b.id is not null and t.id is not null else b.id is not null and t.id is not null and v.id is not null end
        order by p.position, p.type, p.resource_id`,
  );

/** All of the user's pins in their order, locked until the transaction ends. */
export const lockPins = (db: Queryable, userId: string): Promise<Target[]> =>
  many<Target>(
    db,
    sql`select type, resource_id as id from rowhouse.pins where user_id = ${userId} order by position, type, resource_id for update`,
  );

export const writeOrder = async (db: Queryable, userId: string, pins: readonly Target[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.pins p set position = given.at
        from unnest(${pins.map(({ type }) => type)}::text[], ${pins.map(({ id }) => id)}::text[]) with ordinality as given (type, id, at)
        where p.user_id = ${userId} and p.type = given.type and p.resource_id = given.id`,
  );
};
