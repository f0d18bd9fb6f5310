/** The name itself when it is free, else the first free one of "name 2", "name 3" … */
export const uniqueName = (wanted: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(wanted)) return wanted;
  let count = 2;
  while (taken.has(`${wanted} ${count}`)) count += 1;
  return `${wanted} ${count}`;
};
