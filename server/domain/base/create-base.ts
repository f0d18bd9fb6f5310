import { notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { createBaseSchema } from '../../db/base-schema.ts';
import type { Tx } from '../../db/db.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { holdSpaces } from '../space/space.sql.ts';
import { type Base, insertBase } from './base.sql.ts';

interface NewBase {
  spaceId: string;
  name: string;
  icon: string | null;
}

/** The row and the PostgreSQL schema. Who may was decided before. */
export const makeBase = async (
  tx: Tx,
  { newId, principal }: Pick<Context, 'newId' | 'principal'>,
  { spaceId, name, icon }: NewBase,
): Promise<Base> => {
  const base = await insertBase(tx, { id: newId('bse'), spaceId, name, icon, userId: principal.userId });
  await createBaseSchema(tx, base.id);
  return base;
};

/** For someone who may create bases in that space. */
export const createBaseIn = async (tx: Tx, context: Context, input: NewBase): Promise<Base> => {
  const { spaceId } = input;
  const held = await holdSpaces(tx, [spaceId]);
  if (held.length === 0) throw notFound('Space', spaceId);
  await demandAccess(tx, context, { type: 'space', id: spaceId, trashed: false }, 'base|create');
  return makeBase(tx, context, input);
};

export const createBase = (
  context: Context,
  input: { spaceId: string; name?: string; icon?: string | null },
): Promise<Base> =>
  context.db.transaction((tx) =>
    createBaseIn(tx, context, {
      spaceId: input.spaceId,
      name: input.name ?? 'Untitled Base',
      icon: input.icon ?? null,
    }),
  );
