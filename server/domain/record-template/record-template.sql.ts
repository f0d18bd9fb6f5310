// The one writer of rowhouse.record_templates.
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface TemplateCells {
  cells: Record<string, unknown>;
  /** Field id → name of a choice → its id. */
  choices: Record<string, Record<string, string>>;
}

interface NewTemplate extends TemplateCells {
  id: string;
  name: string;
  createdBy: string;
}

export interface TemplateRow extends NewTemplate {
  createdTime: string;
  lastModifiedBy: string | null;
  lastModifiedTime: string | null;
}

const columns = sql`id, name, cells, choices, created_by as "createdBy", created_time as "createdTime", last_modified_by as "lastModifiedBy", last_modified_time as "lastModifiedTime"`;

export const selectTemplates = (db: Queryable, tableId: string): Promise<TemplateRow[]> =>
  many<TemplateRow>(
    db,
    sql`select ${columns} from rowhouse.record_templates where table_id = ${tableId} and deleted_time is null order by lower(name), id`,
  );

export const selectTemplate = (db: Queryable, tableId: string, id: string): Promise<TemplateRow | undefined> =>
  maybe<TemplateRow>(
    db,
    sql`select ${columns} from rowhouse.record_templates where table_id = ${tableId} and id = ${id} and deleted_time is null`,
  );

export const insertTemplate = (
  db: Queryable,
  tableId: string,
  { id, name, cells, choices, createdBy }: NewTemplate,
): Promise<TemplateRow> =>
  one<TemplateRow>(
    db,
    sql`insert into rowhouse.record_templates (id, table_id, name, cells, choices, created_by)
        values (${id}, ${tableId}, ${name}, ${JSON.stringify(cells)}::jsonb, ${JSON.stringify(choices)}::jsonb, ${createdBy}) returning ${columns}`,
  );

export const updateTemplate = (
  db: Queryable,
  { id, name, cells, choices }: Pick<TemplateRow, 'id' | 'name' | 'cells' | 'choices'>,
  userId: string,
): Promise<TemplateRow> =>
  one<TemplateRow>(
    db,
    sql`update rowhouse.record_templates
        set name = ${name}, cells = ${JSON.stringify(cells)}::jsonb, choices = ${JSON.stringify(choices)}::jsonb, last_modified_by = ${userId}, last_modified_time = now()
        where id = ${id} returning ${columns}`,
  );

/** For 30 days; what was deleted longer ago goes for good. */
export const markDeleted = async (db: Queryable, tableId: string, id: string): Promise<void> => {
  await db.query(
    sql`delete from rowhouse.record_templates where table_id = ${tableId} and deleted_time < now() - interval '30 days'`,
  );
  await db.query(
    sql`update rowhouse.record_templates set deleted_time = now() where table_id = ${tableId} and id = ${id}`,
  );
};

export const selectDeleted = (db: Queryable, tableId: string, id: string): Promise<TemplateRow | undefined> =>
  maybe<TemplateRow>(
    db,
    sql`select ${columns} from rowhouse.record_templates
        where table_id = ${tableId} and id = ${id} and deleted_time >= now() - interval '30 days'`,
  );

export const unmarkDeleted = async (db: Queryable, { id, name }: Pick<TemplateRow, 'id' | 'name'>): Promise<void> => {
  await db.query(sql`update rowhouse.record_templates set deleted_time = null, name = ${name} where id = ${id}`);
};
