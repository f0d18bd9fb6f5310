/** The name itself when nobody has it, else with the first free number: "Space 2". */
export const uniqueName = (name: string, taken: readonly string[]): string => {
  const used = new Set(taken);
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
};
