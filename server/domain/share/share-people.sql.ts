// People that a share may name.
import type { ShownEmail } from '@rowhouse/contract/user.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { baseAndSpace, roleGrants } from '../../catalog/role.sql.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';
import { seenRows } from '../record/read/read.sql.ts';

export interface NamedPerson {
  userId: string;
  userName: string;
  /** Empty: it is nobody's business here. */
  email: ShownEmail;
  avatar: string | null;
}

interface PeoplePage {
  search: string | undefined;
  take: number;
  skip: number;
}

/** By name alone: who searches by address would learn whose it is. */
const matching = (search: string | undefined): Sql =>
  search === undefined || search === '' ? sql`true` : sql`strpos(lower(p.name), lower(${search})) > 0`;

/** Those of a base and its space, those first who came first. */
export const selectBasePeople = (
  db: Queryable,
  baseId: string,
  { search, take, skip }: PeoplePage,
): Promise<NamedPerson[]> =>
  many(
    db,
    sql`select p.id as "userId", p.name as "userName", '' as email, p.avatar from rowhouse.users p
        join (select user_id, min(created_time) as since from ${roleGrants} held where resource_id in (${baseAndSpace(baseId)}) group by user_id) c on c.user_id = p.id
        where p.deactivated_time is null and ${matching(search)} order by c.since, p.id limit ${take} offset ${skip}`,
  );

/** Those in the cells of a field that is seen, of records that are. */
export const selectPeopleIn = (
  db: Queryable,
  sight: Sight,
  field: FieldSchema,
  where: Sql | null,
  { search, take, skip }: PeoplePage,
): Promise<NamedPerson[]> =>
  many(
    db,
    sql`select p.id as "userId", p.name as "userName", '' as email, u.avatar
        from (select distinct person ->> 'id' as id, person ->> 'title' as name
              from (select (${cellTypeOf(field).json(columnOf(field, 'r'), field, sight)})::jsonb as cell from ${seenRows(sight)} r where ${columnOf(field, 'r')} is not null ${where === null ? sql.empty : sql`and (${where})`}) found,
                   jsonb_array_elements(case jsonb_typeof(found.cell) when 'array' then found.cell else jsonb_build_array(found.cell) end) person
              where jsonb_typeof(person) = 'object') p
        left join rowhouse.users u on u.id = p.id
        where ${matching(search)} order by p.name, p.id limit ${take} offset ${skip}`,
  );
