// A line of CSV (RFC 4180). Names in it come from anybody: what a spreadsheet would take for a formula gets an apostrophe.

const isFormula = /^[=+\-@\t\r]/;

const cell = (text: string): string => {
  const plain = isFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;
