// A matrix as the database holds it, for tests of what follows from one.
import { newId } from '@rowhouse/contract/id.ts';
import { bumpEpochs } from '../../server/catalog/access.sql.ts';
import { sql } from '../../server/db/sql.ts';
import type { World } from './world.ts';

interface GivenGrant {
  actions: readonly string[];
  fields?: readonly string[] | null;
  create?: readonly string[] | null;
  update?: readonly string[] | null;
  when?: unknown;
  after?: unknown;
  memo?: string;
}

interface GivenRole {
  /** Ids of people and groups. */
  members: readonly { userId?: string; groupId?: string }[];
  isDefault?: boolean;
  tables: Readonly<
    Record<string, { grants: readonly GivenGrant[]; viewIds?: readonly string[]; hidesFacts?: boolean }>
  >;
}

/** Replaces what there is, and switches it on or off, as a change of the matrix would. */
export const setMatrix = async (
  { db }: World,
  baseId: string,
  roles: readonly GivenRole[],
  { isOn = true, adminIds = [] as readonly string[] } = {},
): Promise<void> => {
  await db.transaction(async (tx) => {
    await tx.query(sql`delete from rowhouse.matrix_roles where base_id = ${baseId}`);
    await tx.query(sql`delete from rowhouse.matrix_admins where base_id = ${baseId}`);
    await tx.query(
      sql`insert into rowhouse.matrices (base_id, id, enabled_time, created_by) values (${baseId}, ${newId('aum')}, now(), 'test')
          on conflict (base_id) do update set version = matrices.version + 1, default_role_id = null`,
    );
    await tx.query(
      sql`update rowhouse.matrices set enabled_time = case when ${isOn} then now() end where base_id = ${baseId}`,
    );
    for (const userId of adminIds)
      await tx.query(sql`insert into rowhouse.matrix_admins (base_id, user_id) values (${baseId}, ${userId})`);
    for (const { members, tables, isDefault = false } of roles) {
      const id = newId('aur');
      await tx.query(
        sql`insert into rowhouse.matrix_roles (id, base_id, name, enabled_time, created_by) values (${id}, ${baseId}, ${id}, now(), 'test')`,
      );
      for (const { userId = null, groupId = null } of members)
        await tx.query(
          sql`insert into rowhouse.matrix_members (role_id, user_id, group_id) values (${id}, ${userId}, ${groupId})`,
        );
      for (const [tableId, { grants, viewIds = null, hidesFacts = false }] of Object.entries(tables)) {
        const stored = grants.map(({ fields = null, when = null, ...grant }) => ({
          ...grant,
          fields,
          create: grant.create === undefined ? fields : grant.create,
          update: grant.update === undefined ? fields : grant.update,
          when,
        }));
        await tx.query(
          sql`insert into rowhouse.matrix_grants (role_id, table_id, enabled_time, view_ids, shows_facts, grants)
              values (${id}, ${tableId}, now(), ${viewIds}::text[], ${!hidesFacts}, ${JSON.stringify(stored)}::jsonb)`,
        );
      }
      if (isDefault)
        await tx.query(sql`update rowhouse.matrices set default_role_id = ${id} where base_id = ${baseId}`);
    }
    const [base] = await tx.query<{ spaceId: string }>(
      sql`select space_id as "spaceId" from rowhouse.bases where id = ${baseId}`,
    );
    await bumpEpochs(tx, [base?.spaceId as string]);
  });
};
