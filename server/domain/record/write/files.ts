// The uploaded files that the cells of a request mention, read only when it mentions any.
import type { Sight } from '../../../catalog/sight.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/db.ts';
import type { TableAccess } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { type FileFacts, fileTokens } from '../../file/file.ts';
import { selectFiles, selectSeenFiles } from '../../file/file.sql.ts';
import { useFiles } from '../../file/file-room.ts';
import { keyOf } from '../read/field-key.ts';
import { selectHeldTokens } from '../read/held-files.sql.ts';
import type { CellRequest, Column } from './cells.ts';

/** Only those that the caller may see: a mention would show them to everybody who sees the cell, the caller included. Whom rules bind sees those of seen cells of the table. */
export const filesFor = async (
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  sight: Sight,
  { rows, keyType }: CellRequest,
): Promise<ReadonlyMap<string, FileFacts>> => {
  const { table, rule } = sight;
  const keys = table.fields
    .filter(({ type }) => fieldTypeOf(type).namesFiles === true)
    .map((field) => keyOf(field, keyType));
  if (keys.length === 0) return new Map();
  const tokens = new Set(
    rows.flatMap(({ fields }) =>
      keys.flatMap((key) => (fields[key] == null ? [] : fileTokens(JSON.stringify(fields[key]) ?? ''))),
    ),
  );
  if (tokens.size === 0) return new Map();
  const seen = await selectSeenFiles(db, [...tokens], { principal, formViewId: rule.viewId });
  const others = [...tokens].filter((token) => !seen.some((file) => file.token === token));
  const held = others.length === 0 || rule.isPublic === true ? [] : await selectHeldTokens(db, sight, others);
  const besides = held.length === 0 ? [] : await selectFiles(db, held);
  return new Map([...seen, ...besides].map((file) => [file.token, file]));
};

/** Of those the ones that the cells came to hold. */
export const mentionedFiles = (columns: readonly Column[], files: ReadonlyMap<string, FileFacts>): string[] => {
  if (files.size === 0) return [];
  const held = columns
    .filter(({ type }) => type.namesFiles === true)
    .flatMap(({ values }) => values.flatMap((value) => (value ?? []) as { token: string }[]));
  return [...new Set(held.map(({ token }) => token))].filter((token) => files.has(token));
};

/** In the transaction of the write: the base mentions them from now on, and there has to be room for those that are new to its space. */
export const claimFiles = async (context: Context, tokens: readonly string[]): Promise<void> => {
  if (tokens.length === 0) return;
  const { baseId, spaceId } = context.access as TableAccess;
  if (!(await useFiles(context.db as Tx, context, { baseId, spaceId }, tokens))) throw new Stale('records');
};
