// Keys and values as query strings and forms hold them. Their number is limited, and so is what reading them costs:
// with `a&a&a…` each value of a list that was copied for the next took minutes for 65 kB.

export type Pairs = Record<string, string | string[]>;

/** A key that appears several times has an array of its values. */
export const addPair = (pairs: Pairs, key: string, value: string): void => {
  const earlier = pairs[key];
  if (earlier === undefined) pairs[key] = value;
  else if (Array.isArray(earlier)) earlier.push(value);
  else pairs[key] = [earlier, value];
};

/** Whether a text in the form of `a=1&b=2` has more than `most` pairs. */
export const hasMoreThan = (text: string, most: number): boolean => {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
};
