// How many records a list has, found by asking for single records at doubling distances and then halving: about
// forty small requests for a million records, none for a table that fits on one page.
export const countRecords = async (isThere: (skip: number) => Promise<boolean>): Promise<number> => {
  let low = 0;
  let high = 128;
  while (await isThere(high)) {
    low = high + 1;
    high *= 8;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isThere(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};
