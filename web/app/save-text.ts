// Text and pictures that the app itself has made, as files.
const quoted = (text: string): string => {
  // A spreadsheet would take it for a formula. A number below zero is none.
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const csvOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ...rows].map((row) => row.map(quoted).join(',')).join('\r\n');

export const saveBlob = (name: string, blob: Blob): void => {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

export const saveText = (name: string, text: string): void =>
  saveBlob(name, new Blob(['\uFEFF', text], { type: 'text/csv' }));
