// What a write makes beside its own records and cells: records in other tables for titles that no record had, choices that a field lacked, other
// places in a view. Its operation keeps it, so that undoing the operation takes that back as well.
import { setSideEffects } from '../../../catalog/operation.sql.ts';
import type { Context } from '../../../context.ts';
import type { Queryable } from '../../../db/db.ts';
import type { Choice } from '../../cell/kind/choice.sql.ts';
import type { Placement } from '../order/placement.ts';
import type { NewChoices } from './write.ts';

export interface MadeRecords {
  tableId: string;
  /** By which they came or went. */
  operationId: string;
  count: number;
}

export interface MadeChoices {
  fieldId: string;
  choices: readonly Choice[];
  /** They were taken away. */
  isRemoved?: boolean;
}

export interface SideEffects {
  records?: readonly MadeRecords[];
  choices?: readonly MadeChoices[];
  /** Where records stood before. */
  placement?: Placement;
}

export const choicesMade = (added: NewChoices): MadeChoices[] =>
  [...added].map(([field, choices]) => ({ fieldId: field.id, choices: [...choices.values()] }));

/** In the transaction that wrote the operation. */
export const keepSideEffects = async (
  tx: Queryable,
  baseId: string,
  operationId: string,
  { records = [], choices = [], placement }: SideEffects,
): Promise<void> => {
  if (records.length + choices.length === 0 && placement === undefined) return;
  const effects: SideEffects = {
    ...(records.length === 0 ? {} : { records }),
    ...(choices.length === 0 ? {} : { choices }),
    ...(placement === undefined ? {} : { placement }),
  };
  await setSideEffects(tx, baseId, operationId, JSON.stringify(effects));
};

/** For the header `X-Side-Effects`: how many records in which tables, how many choices of which fields. */
export const noteSideEffects = (
  { noteEffects }: Pick<Context, 'noteEffects'>,
  { records = [], choices = [] }: SideEffects,
): void => {
  for (const { tableId, count } of records) noteEffects?.('records', tableId, count);
  for (const { fieldId, choices: made } of choices) noteEffects?.('choices', fieldId, made.length);
};
