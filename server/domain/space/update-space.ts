import { notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { renameSpace, type Space, selectSpace } from './space.sql.ts';

export const updateSpace = async ({ db }: Context, spaceId: string, input: { name?: string }): Promise<Space> => {
  const space = input.name === undefined ? await selectSpace(db, spaceId) : await renameSpace(db, spaceId, input.name);
  if (space === undefined) throw notFound('Space', spaceId);
  return space;
};
