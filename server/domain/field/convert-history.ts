// Wraps the conversion of cells so that what it changes is in the history, in the same transaction.
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { completeConversion, insertBefore, insertConversion, lockRecords } from './convert-history.sql.ts';
import { ensureFieldVersions } from './field-version.sql.ts';
import { metaOf } from './field-version.ts';

const metaIdOf = async (tx: Tx, table: TableSchema, field: FieldSchema): Promise<number> =>
  (await ensureFieldVersions(tx, table, [{ fieldId: field.id, version: field.version, meta: metaOf(field) }])).get(
    field.id,
  ) as number;

interface Conversion {
  opId: number;
  publicId: string;
  from: FieldSchema;
}

/** Before anything of the field changes. */
export const beginConversion = async (
  context: Context,
  tx: Tx,
  table: TableSchema,
  from: FieldSchema,
): Promise<Conversion> => {
  await lockRecords(tx, table);
  const { principal } = context;
  const publicId = context.newId('opr');
  const opId = await insertConversion(tx, table, {
    publicId,
    kind: 'convert',
    actor: principal.userId,
    tokenId: principal.tokenId,
    clientId: principal.clientId,
  });
  await insertBefore(tx, table, from, opId, await metaIdOf(tx, table, from));
  return { opId, publicId, from };
};

/** After the cells and the field are what they will be; `to` has its new version. Answers how many cells changed. */
export const endConversion = async (
  tx: Tx,
  table: TableSchema,
  to: FieldSchema,
  { opId, from }: Conversion,
  fillsEmpty: boolean,
): Promise<number> =>
  completeConversion(tx, table, { from, to, opId, metaId: await metaIdOf(tx, table, to), fillsEmpty });
