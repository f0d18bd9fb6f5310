import { hasFiles } from '../../field-type/attachment/use-file-drop.ts';
import { sortedType } from '../../ui/use-sortable.ts';

// Where a card goes.
export interface Beside {
  recordId: string;
  position: 'before' | 'after';
}

export interface CardMove {
  recordId: string;
  /** null: no choice. */
  choice: string | null;
  /** The stack it comes from; undefined when it was dragged from elsewhere. */
  from: string | null | undefined;
  /** The card it shall stand next to. */
  beside?: Beside | undefined;
}

/** What is carried along while a card is dragged: the record, and where it is taken from. */
const type = 'application/x-rowhouse-card';

export const carry = (transfer: DataTransfer, recordId: string, from: string | null): void => {
  transfer.setData('text/plain', recordId);
  transfer.setData(type, JSON.stringify({ from }));
  transfer.effectAllowed = 'move';
};

/** While something is over a stack: not a file, and not another stack. */
export const carriesCard = (transfer: DataTransfer): boolean =>
  !hasFiles(transfer) && !transfer.types.includes(sortedType);

export const carried = (transfer: DataTransfer): Omit<CardMove, 'choice' | 'beside'> | undefined => {
  const recordId = transfer.getData('text/plain');
  if (!recordId.startsWith('rec')) return undefined;
  const more = transfer.getData(type);
  if (more === '') return { recordId, from: undefined };
  const { from } = JSON.parse(more) as Pick<CardMove, 'from'>;
  return { recordId, from };
};
