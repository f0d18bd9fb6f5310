import { notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { type Base, changeBase } from './base.sql.ts';

export const updateBase = async (
  { db }: Context,
  baseId: string,
  input: { name?: string; icon?: string | null },
): Promise<Base> => {
  const base = await changeBase(db, baseId, input);
  if (base === undefined) throw notFound('Base', baseId);
  return base;
};
