/** `Grid`, or `Grid 2` when that is taken. */
export const freeName = (wanted: string, taken: readonly { name: string }[]): string => {
  const names = new Set(taken.map(({ name }) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!names.has(name.toLowerCase())) return name;
  }
};
