// A name that somebody chose, for people who do not know them: nothing in it can be a link, an address, a number to call or
// a text of its own.
const longest = 40;

export const plainName = (name: string): string => {
  const words = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}'’ -]+/gu, ' ')
    .replace(/[\p{N} -]*(\p{N}[ -]*){5,}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...words];
  return letters.length <= longest ? words : `${letters.slice(0, longest).join('').trim()}…`;
};
