// What did not fit, as a file.
import type { Misfit } from './await-import.ts';

const quoted = (text: string): string => {
  // A spreadsheet would take it for a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const downloadMisfits = (misfits: readonly Misfit[]): void => {
  const text = ['Row,Field,Value', ...misfits.map(({ row, field, value }) => [String(row), quoted(field), quoted(value)].join(','))].join('\r\n');
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'did-not-fit.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
