// Rows as aligned columns for people, or as JSON for programs.

export const printRows = (rows: Record<string, string>[], json: boolean, none: string): void => {
  if (json) return console.log(JSON.stringify(rows, null, 2));
  if (rows.length === 0) return console.log(none);
  const names = Object.keys(rows[0] as object);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => (row[name] as string).length)));
  const line = (cells: string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] as number))
      .join('  ')
      .trimEnd();
  console.log(line(names));
  for (const row of rows) console.log(line(names.map((name) => row[name] as string)));
};
