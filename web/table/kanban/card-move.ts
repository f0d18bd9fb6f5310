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
  /** The card that it stood next to. */
  stood?: Beside | undefined;
}

/** Where the card at this place of a stack stands. */
export const standOf = (cards: readonly { id: string }[], at: number): Beside | undefined => {
  const [above, below] = [cards[at - 1], cards[at + 1]];
  if (above !== undefined) return { recordId: above.id, position: 'after' };
  return below === undefined ? undefined : { recordId: below.id, position: 'before' };
};

/** What is carried along while a card is dragged: the record, and where it is taken from. */
const type = 'application/x-rowhouse-card';

export const carry = (transfer: DataTransfer, recordId: string, from: string | null, stood: Beside | undefined): void => {
  transfer.setData('text/plain', recordId);
  transfer.setData(type, JSON.stringify({ from, stood }));
  transfer.effectAllowed = 'move';
};

export const carried = (transfer: DataTransfer): Omit<CardMove, 'choice' | 'beside'> | undefined => {
  const recordId = transfer.getData('text/plain');
  if (!recordId.startsWith('rec')) return undefined;
  const more = transfer.getData(type);
  if (more === '') return { recordId, from: undefined };
  const { from, stood } = JSON.parse(more) as Pick<CardMove, 'from' | 'stood'>;
  return { recordId, from, stood };
};
