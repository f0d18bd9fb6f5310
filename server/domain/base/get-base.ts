import { notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { selectBase } from './base.sql.ts';
import { type ShownBase, showBase } from './show-base.ts';

export const getBase = async ({ db, principal }: Context, baseId: string): Promise<ShownBase> => {
  const row = await selectBase(db, principal.userId, baseId);
  if (row === undefined) throw notFound('Base', baseId);
  return showBase(row);
};
