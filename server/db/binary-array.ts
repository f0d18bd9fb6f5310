// Arrays in the form that PostgreSQL takes without reading it: as text it reads them character by character, which was a seventh of
// its work for a create. `pg` sends a Buffer as that form. What this cannot make quickly is sent as text, which is the same to PostgreSQL.

/** The items in the form that their column takes; null is null. */
type Items = readonly unknown[];

type Make = (values: Items) => Buffer | undefined;

const oids = { text: 25, jsonb: 3_802, 'double precision': 701, timestamptz: 1_184 } as const;

export type BinaryType = keyof typeof oids;

const bytes4 = (value: number): string =>
  String.fromCharCode((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);

/** One dimension whose items begin at 1. */
const headOf = (type: BinaryType, values: Items): string =>
  bytes4(1) + bytes4(values.includes(null) ? 1 : 0) + bytes4(oids[type]) + bytes4(values.length) + bytes4(1);

const noItem = bytes4(-1);
const lengths = Array.from({ length: 256 }, (_, length) => bytes4(length));

const highBytes = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) count += 1;
  return count;
};

/** Texts of one byte for each character, in one copy: what is put together is a text whose characters are the bytes. */
const joined = (
  type: BinaryType,
  values: Items,
  textOf: (value: unknown) => string | undefined,
): Buffer | undefined => {
  const head = headOf(type, values);
  const parts = [head];
  let high = highBytes(head);
  for (const value of values) {
    if (value === null) {
      parts.push(noItem);
      high += 4;
      continue;
    }
    const text = textOf(value);
    if (text === undefined) return undefined;
    const length = lengths[text.length] ?? bytes4(text.length);
    if (text.length > 127) high += highBytes(length);
    parts.push(length, text);
  }
  const whole = parts.join('');
  // Any other character that is no single byte would count, too.
  return Buffer.byteLength(whole) === whole.length + high ? Buffer.from(whole, 'latin1') : undefined;
};

/** Items of eight bytes. `write` answers whether it could. */
const fixed = (
  type: BinaryType,
  values: Items,
  write: (buffer: Buffer, value: unknown, at: number) => boolean,
): Buffer | undefined => {
  const head = headOf(type, values);
  const buffer = Buffer.allocUnsafe(head.length + 12 * values.length);
  let at = buffer.write(head, 'latin1');
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? -1 : 8, at);
    if (value === null) continue;
    if (!write(buffer, value, at)) return undefined;
    at += 8;
  }
  return buffer.subarray(0, at);
};

/** Milliseconds at which the clock of PostgreSQL begins, which counts microseconds. */
const epoch = Date.UTC(2_000, 0, 1);

/** More than a double holds exactly, so in parts of 16 bits. */
const writeMicroseconds = (buffer: Buffer, milliseconds: number, at: number): void => {
  const high = Math.floor(milliseconds / 65_536);
  const low = (milliseconds - 65_536 * high) * 1_000;
  const upper = 1_000 * high + Math.floor(low / 65_536);
  const top = Math.floor(upper / 65_536);
  buffer.writeInt32BE(top, at);
  buffer.writeUInt32BE((upper - 65_536 * top) * 65_536 + (low % 65_536), at + 4);
};

const makers: Record<BinaryType, Make> = {
  text: (values) => joined('text', values, (value) => (typeof value === 'string' ? value : undefined)),
  // The first byte is the version of the form.
  jsonb: (values) =>
    joined('jsonb', values, (value) => (value === undefined ? undefined : `\u0001${JSON.stringify(value)}`)),
  'double precision': (values) =>
    fixed('double precision', values, (buffer, value, at) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) return false;
      // In JSON there is no -0.
      buffer.writeDoubleBE(value + 0, at);
      return true;
    }),
  timestamptz: (values) =>
    fixed('timestamptz', values, (buffer, value, at) => {
      // As `toISOString()` makes it; that there is such a day was looked at before.
      const time =
        typeof value === 'string' && value.length === 24 && value.endsWith('Z') ? Date.parse(value) : Number.NaN;
      if (Number.isNaN(time)) return false;
      writeMicroseconds(buffer, time - epoch, at);
      return true;
    }),
};

/** Undefined: it has to be sent as text. */
export const binaryArray = (type: BinaryType, values: Items): Buffer | undefined =>
  values.length === 0 ? undefined : makers[type](values);
