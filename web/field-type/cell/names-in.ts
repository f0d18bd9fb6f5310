// Several names in one text, as cells are copied: between commas, and in quotes where a name holds one.

export const namesIn = (text: string): string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)]
    .map(([, quoted, plain = '']) => (quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"')))
    .filter((name) => name !== '');

const quoted = (text: string): string => (/[,"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const joinNames = (names: readonly string[]): string => names.map(quoted).join(', ');
