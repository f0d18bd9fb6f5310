// Where the bytes of files are. Keys are tokens, also with a suffix for what was made from a file.
export interface Storage {
  /** The whole of it, or nothing: what was there already stays. Fails when it has more or less than `size` bytes. */
  write(key: string, body: AsyncIterable<Uint8Array>, size: number): Promise<void>;
  /** From byte `first` up to and with byte `last`. */
  read(key: string, first: number, last: number): AsyncGenerator<Buffer>;
  /** Undefined: there is nothing. */
  size(key: string): Promise<number | undefined>;
  remove(key: string): Promise<void>;
}

/** The upload is not what was announced. */
export class SizeMismatch extends Error {
  readonly size: number;

  constructor(size: number, announced: number) {
    super(`The file has ${size > announced ? 'more than ' : ''}${Math.min(size, announced)} bytes, and ${announced} were announced`);
    this.size = size;
  }
}
