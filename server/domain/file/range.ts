// One part of a file, as `Range` asks for it (RFC 9110). Several parts are answered with the whole file, as is allowed.
interface Range {
  first: number;
  last: number;
}

/** Undefined: the whole. Null: there is no such part. */
export const readRange = (header: string | undefined, size: number): Range | undefined | null => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return undefined;
  if (from === '')
    return Number(to) === 0 || size === 0 ? null : { first: Math.max(0, size - Number(to)), last: size - 1 };
  if (to !== '' && Number(to) < Number(from)) return undefined;
  return Number(from) >= size
    ? null
    : { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
};
