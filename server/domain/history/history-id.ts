// The id of a history entry is its position: operation, number within it, and a mark of the table. So it needs no
// column, sorts by time, and an id that is damaged or of another table is recognised.

export interface EntryPosition {
  opId: number;
  seq: number;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const encode = (value: number, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = (alphabet[rest % 62] as string) + text;
  return text;
};

const decode = (text: string): number => [...text].reduce((value, character) => value * 62 + alphabet.indexOf(character), 0);

/** Two sums of 32 bits, mixed at the end; 40 bits of them count. Nothing is kept secret by it, and SHA-256 was a good part of what a page of history took. */
const mark = (tableId: string, body: string): string => {
  const text = tableId + body;
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    other = Math.imul(other ^ code, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return encode((other & 0xff) * 2 ** 32 + (one >>> 0), 7);
};

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
