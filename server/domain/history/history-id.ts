// The id of a history entry is its position: operation, number within it, and a mark of the table. So it needs no
// column, sorts by time, and an id that is damaged or of another table is recognised.
import { hash } from 'node:crypto';

export interface EntryPosition {
  opId: number;
  seq: number;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const encode = (value: number, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
    text = (alphabet[rest % 62] as string) + text;
  return text;
};

const decode = (text: string): number =>
  [...text].reduce((value, character) => value * 62 + alphabet.indexOf(character), 0);

const mark = (tableId: string, body: string): string =>
  encode(Number.parseInt(hash('sha256', `${tableId}${body}`).slice(0, 10), 16), 7);

export const historyId = (tableId: string, { opId, seq }: EntryPosition): string => {
  const body = encode(opId, 11) + encode(seq, 6);
  return `rhi${body}${mark(tableId, body)}`;
};

/** The position behind an id; undefined when the id is damaged or of another table. */
export const entryPositionOf = (tableId: string, id: string): EntryPosition | undefined => {
  if (!/^rhi[0-9A-Za-z]{24}$/.test(id)) return undefined;
  const body = id.slice(3, 20);
  if (mark(tableId, body) !== id.slice(20)) return undefined;
  const position = { opId: decode(body.slice(0, 11)), seq: decode(body.slice(11)) };
  return Number.isSafeInteger(position.opId) ? position : undefined;
};
