import type { Template } from '@rowhouse/contract/template.ts';
import type { Context } from '../../context.ts';
import type { FileFacts } from '../file/file.ts';
import { publicAddress } from '../file/public-file.ts';
import { selectPublicFiles } from '../file/public-file.sql.ts';
import { definitions } from './definitions.ts';
import { snapshotSpaceId, type TemplateRow } from './template.sql.ts';

const present = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> =>
  value === null || value === undefined ? {} : ({ [key]: value } as Record<K, V>);

const coverOf = (
  { publicUrl }: Context,
  { cover }: TemplateRow,
  files: ReadonlyMap<string, FileFacts>,
): Partial<Pick<Template, 'cover'>> => {
  const file = cover === null ? undefined : files.get(cover.token);
  if (cover === null || file === undefined) return {};
  const url = publicAddress('template', cover.token);
  const { size, mimetype, width, height } = file;
  return {
    cover: {
      ...cover,
      size,
      mimetype,
      path: `template/${cover.token}`,
      url,
      presignedUrl: publicUrl() + url,
      ...present('width', width),
      ...present('height', height),
    },
  };
};

const vo = (context: Context, row: TemplateRow, files: ReadonlyMap<string, FileFacts>): Template => {
  const definition = row.snapshotBaseId === null ? definitions.get(row.definition ?? '') : undefined;
  return {
    id: row.id,
    ...present('name', row.name ?? definition?.name),
    ...present('description', row.description ?? definition?.description),
    ...present('markdownDescription', row.markdownDescription),
    ...present('categoryId', row.categoryId),
    isSystem: row.isSystem,
    isPublished: row.isPublished,
    usageCount: Number(row.usageCount),
    visitCount: Number(row.visitCount),
    ...present('baseId', row.baseId),
    ...(row.snapshotBaseId === null || row.snapshotTime === null
      ? {}
      : {
          snapshot: {
            baseId: row.snapshotBaseId,
            snapshotTime: new Date(row.snapshotTime).toISOString(),
            spaceId: snapshotSpaceId,
            name: row.snapshotName ?? '',
          },
        }),
    ...coverOf(context, row, files),
    icon: row.icon,
    tables: definition === undefined ? row.tables : definition.tables.map(({ name }) => ({ name, icon: null })),
  };
};

export const templateVos = async (context: Context, rows: readonly TemplateRow[]): Promise<Template[]> => {
  const tokens = rows.flatMap(({ cover }) => (cover === null ? [] : [cover.token]));
  const files = new Map(
    (tokens.length === 0 ? [] : await selectPublicFiles(context.db, tokens)).map((file) => [file.token, file]),
  );
  return rows.map((row) => vo(context, row, files));
};
