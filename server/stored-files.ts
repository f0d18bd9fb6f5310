// Files as the rest of the server knows them: their bytes, and the addresses they are read at. `domain/file/` makes both.

/** Where the bytes of files are. Keys are tokens, also with a suffix for what was made from a file. */
export interface Storage {
  /** The whole of it, or nothing: what was there already stays. Fails when it has more or less than `size` bytes. */
  write(key: string, body: AsyncIterable<Uint8Array>, size: number): Promise<void>;
  /** From byte `first` up to and with byte `last`. */
  read(key: string, first: number, last: number): AsyncGenerator<Buffer>;
  /** Undefined: there is nothing. */
  size(key: string): Promise<number | undefined>;
  remove(key: string): Promise<void>;
  /** Parts of uploads that were cut off longer than `seconds` ago by the end of their process. Absent: there are none. */
  removeDrafts?(seconds: number): Promise<void>;
  /** Clients send and read the bytes themselves. Absent: everything goes through this server. */
  direct?: DirectStorage;
}

export interface DirectStorage {
  /** Where a client sends a file of exactly this size and type. */
  uploadUrl(key: string, size: number, mimetype: string, seconds: number): string;
  /** Bytes of what was sent there and is not taken; undefined: nothing. */
  sentSize(key: string): Promise<number | undefined>;
  /** Removes what was sent there and not taken. */
  forgetSent(key: string): Promise<void>;
  /** What was sent there becomes the file, which nobody can write over any more. Does nothing when there is none of this size, or the file is there. */
  take(key: string, size: number): Promise<void>;
  /** Good for `seconds`; an hour when absent. */
  readUrl(key: string, mimetype: string, disposition: string, seconds?: number): string;
}

/** The upload is not what was announced. */
export class SizeMismatch extends Error {
  readonly size: number;

  constructor(size: number, announced: number) {
    super(
      `The file has ${size > announced ? 'more than ' : ''}${Math.min(size, announced)} bytes, and ${announced} were announced`,
    );
    this.size = size;
  }
}

export interface Files {
  storage: Storage;
  /** The path and query of where a file is read, signed. */
  addressOf(path: string): string;
  urlOf(path: string): string;
  isSigned(token: string, signature: string): boolean;
  /** JSON text with addresses beside the paths of files in it, of all or of those that `isShown`; `addressed` makes others than `urlOf`. */
  show(text: string, isShown?: (token: string) => boolean, addressed?: (path: string) => string): string;
}
