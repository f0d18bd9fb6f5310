// The encoding of a text file that nobody tells: UTF-16 by its byte order mark, UTF-8 if it is that, else Windows-1252, which is what
// spreadsheets save.

/** Of the beginning of a file; more is not looked at. */
export const bytesLooked = 65_536;

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    // What is cut off at the end may be the half of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};

export const encodingOf = (beginning: Uint8Array): string => {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le';
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf-16be';
  return isUtf8(beginning.subarray(0, bytesLooked)) ? 'utf-8' : 'windows-1252';
};
