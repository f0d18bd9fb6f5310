// The one writer of rowhouse.templates and rowhouse.template_categories.
import type { TemplateCategory } from '@rowhouse/contract/template.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

interface Cover {
  id: string;
  name: string;
  token: string;
}

export interface TemplateRow {
  id: string;
  definition: string | null;
  name: string | null;
  description: string | null;
  markdownDescription: string | null;
  categoryId: string | null;
  cover: Cover | null;
  isSystem: boolean;
  isPublished: boolean;
  baseId: string | null;
  snapshotBaseId: string | null;
  snapshotTime: string | null;
  /** Of the base that was copied. */
  snapshotName: string | null;
  icon: string | null;
  usageCount: number;
  visitCount: number;
  /** Of the snapshot. */
  tables: { name: string; icon: string | null }[];
}

/** The space of the snapshots. Nobody has a role in it, so nobody finds it. */
export const snapshotSpaceId = 'spcTemplateSnapshot';

const selection = (where: Sql): Sql =>
  sql`select t.id, t.definition, t.name, t.description, t.markdown_description as "markdownDescription", t.category_id as "categoryId", t.cover,
             t.is_system as "isSystem", t.is_published as "isPublished", t.base_id as "baseId", t.snapshot_base_id as "snapshotBaseId", t.snapshot_time as "snapshotTime",
             b.name as "snapshotName", b.icon, t.usage_count as "usageCount", t.visit_count as "visitCount",
             (select coalesce(json_agg(json_build_object('name', s.name, 'icon', s.icon) order by s.position, s.id), '[]')
              from rowhouse.tables s where s.base_id = t.snapshot_base_id and s.deleted_time is null) as tables
      from rowhouse.templates t left join rowhouse.bases b on b.id = t.snapshot_base_id
      where ${where} order by t.position, t.id`;

export const selectTemplates = (db: Queryable): Promise<TemplateRow[]> => many<TemplateRow>(db, selection(sql`true`));

export const selectPublished = (db: Queryable): Promise<TemplateRow[]> =>
  many<TemplateRow>(db, selection(sql`t.is_published`));

export const selectTemplate = (db: Queryable, id: string): Promise<TemplateRow | undefined> =>
  maybe<TemplateRow>(db, selection(sql`t.id = ${id}`));

/** Until the transaction ends nobody else changes or deletes it. */
export const lockTemplate = async (db: Queryable, id: string): Promise<boolean> =>
  (await maybe(db, sql`select id from rowhouse.templates where id = ${id} for update`)) !== undefined;

/** Until the transaction ends nobody deletes it, or takes another snapshot. */
export const holdTemplate = async (db: Queryable, id: string): Promise<boolean> =>
  (await maybe(db, sql`select id from rowhouse.templates where id = ${id} for key share`)) !== undefined;

interface NewTemplate {
  id: string;
  name: string | null;
  description: string | null;
  categoryId: string | null;
  baseId: string | null;
  userId: string;
}

export const insertTemplate = async (
  db: Queryable,
  { id, name, description, categoryId, baseId, userId }: NewTemplate,
): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.templates (id, name, description, category_id, base_id, created_by, position)
        select ${id}, ${name}, ${description}, ${categoryId}, ${baseId}, ${userId}, coalesce(max(position), 0) + 1 from rowhouse.templates`,
  );
};

interface TemplateChange {
  name?: string;
  description?: string;
  markdownDescription?: string;
  categoryId?: string | null;
  cover?: Cover | null;
  isPublished?: boolean;
  isSystem?: boolean;
  baseId?: string;
}

/** What is left out stays. */
export const updateTemplateRow = async (db: Queryable, id: string, change: TemplateChange): Promise<void> => {
  await db.query(
    sql`update rowhouse.templates set
          name = coalesce(${change.name ?? null}, name),
          description = coalesce(${change.description ?? null}, description),
          markdown_description = coalesce(${change.markdownDescription ?? null}, markdown_description),
          category_id = case when ${change.categoryId !== undefined} then ${change.categoryId ?? null} else category_id end,
          cover = case when ${change.cover !== undefined} then ${change.cover === undefined || change.cover === null ? null : JSON.stringify(change.cover)}::jsonb else cover end,
          is_published = coalesce(${change.isPublished ?? null}, is_published),
          is_system = coalesce(${change.isSystem ?? null}, is_system),
          base_id = coalesce(${change.baseId ?? null}, base_id)
        where id = ${id}`,
  );
};

export const updateSnapshot = async (db: Queryable, id: string, snapshotBaseId: string): Promise<void> => {
  await db.query(
    sql`update rowhouse.templates set snapshot_base_id = ${snapshotBaseId}, snapshot_time = clock_timestamp() where id = ${id}`,
  );
};

export const countUse = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`update rowhouse.templates set usage_count = usage_count + 1 where id = ${id}`);
};

/** False when there is no such template, or it is not published. */
export const countVisit = async (db: Queryable, id: string): Promise<boolean> =>
  (await maybe(
    db,
    sql`update rowhouse.templates set visit_count = visit_count + 1 where id = ${id} and is_published returning 1 as one`,
  )) !== undefined;

interface Placed {
  id: string;
  position: number;
}

const inOrder = (rows: Placed[]): string[] =>
  rows.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)).map(({ id }) => id);

/** Their ids in order. Until the transaction ends nobody else orders them. */
export const lockTemplates = async (db: Queryable): Promise<string[]> =>
  inOrder(await many<Placed>(db, sql`select id, position from rowhouse.templates order by id for no key update`));

export const lockCategories = async (db: Queryable): Promise<string[]> =>
  inOrder(
    await many<Placed>(db, sql`select id, position from rowhouse.template_categories order by id for no key update`),
  );

export const writeTemplateOrder = async (db: Queryable, ids: readonly string[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.templates t set position = o.position
        from unnest(${ids}::text[]) with ordinality as o (id, position) where t.id = o.id`,
  );
};

export const writeCategoryOrder = async (db: Queryable, ids: readonly string[]): Promise<void> => {
  await db.query(
    sql`update rowhouse.template_categories c set position = o.position
        from unnest(${ids}::text[]) with ordinality as o (id, position) where c.id = o.id`,
  );
};

export const putFirst = async (db: Queryable, id: string): Promise<boolean> =>
  (
    await db.query(
      sql`update rowhouse.templates set position = (select min(position) - 1 from rowhouse.templates) where id = ${id} returning 1`,
    )
  ).length > 0;

export const deleteTemplateRow = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.templates where id = ${id}`);
};

/** Spaces have no row of their own in the quota until somebody has a role in them: snapshots count for nobody. */
export const openSnapshotSpace = async (db: Queryable, userId: string): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.spaces (id, name, created_by) values (${snapshotSpaceId}, 'Templates', ${userId}) on conflict do nothing`,
  );
};

const category = sql`id, name, position as order`;

export const selectCategories = (db: Queryable): Promise<TemplateCategory[]> =>
  many<TemplateCategory>(db, sql`select ${category} from rowhouse.template_categories order by position, id`);

export const selectPublishedCategories = (db: Queryable): Promise<TemplateCategory[]> =>
  many<TemplateCategory>(
    db,
    sql`select ${category} from rowhouse.template_categories c where exists (select from rowhouse.templates t where t.category_id = c.id and t.is_published) order by position, id`,
  );

/** Keeps it from being deleted until the transaction ends. */
export const holdCategory = async (db: Queryable, id: string): Promise<boolean> =>
  (await maybe(db, sql`select id from rowhouse.template_categories where id = ${id} for key share`)) !== undefined;

export const insertCategory = (db: Queryable, id: string, name: string): Promise<TemplateCategory> =>
  one<TemplateCategory>(
    db,
    sql`insert into rowhouse.template_categories (id, name, position) select ${id}, ${name}, coalesce(max(position), 0) + 1 from rowhouse.template_categories returning ${category}`,
  );

export const renameCategory = (db: Queryable, id: string, name: string): Promise<TemplateCategory | undefined> =>
  maybe<TemplateCategory>(
    db,
    sql`update rowhouse.template_categories set name = ${name} where id = ${id} returning ${category}`,
  );

export const deleteCategoryRow = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.query(sql`delete from rowhouse.template_categories where id = ${id} returning 1`)).length > 0;
