import { notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { lockPlace } from '../collaborator/collaborator.sql.ts';

export interface TablePath {
  baseId: string;
  tableId: string;
}

/** The path names the base too: a table of another one is not there. */
export const demandInBase = ({ access }: Context, { baseId, tableId }: TablePath): void => {
  if (access.baseId !== baseId) throw notFound('Table', tableId);
};

/** Names and positions are given out one after the other in a base. */
export const lockBase = async (tx: Tx, baseId: string): Promise<void> => {
  if (!(await lockPlace(tx, { type: 'base', id: baseId }))) throw notFound('Base', baseId);
};
