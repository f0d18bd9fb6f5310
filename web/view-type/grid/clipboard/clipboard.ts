// What copying puts on the clipboard, and what pasting finds there. Other programs get the text that people see, as
// plain text and as a table; between our own cells the full values travel along in an attribute of that table.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { fromDelimited, toDelimited } from '@rowhouse/contract/delimited.ts';

export interface CopiedCell {
  text: string;
  /** undefined: it is empty. Present only for cells that were copied here. */
  value?: unknown;
}

/** The field that a column was copied from. */
export interface CopiedField {
  id: string;
  name: string;
  type: FieldTypeName;
  /** Of a link: the table of its records. */
  leadsTo?: string;
}

/** Numbers without what stands between thousands: a program of another language would take it for the decimal point. */
export const copiedText = (text: string, value: unknown): string =>
  typeof value === 'number' ? text.replace(/(\d),(?=\d{3})/g, '$1') : text;

export interface CopiedCells {
  rows: readonly (readonly CopiedCell[])[];
  /** Absent when another program has copied. */
  fields?: readonly CopiedField[];
}

interface ClipboardTexts {
  plain: string;
  html: string;
}

const attribute = 'data-rowhouse-cells';

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '<br>');
const inAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const toClipboard = ({ rows, fields = [] }: CopiedCells): ClipboardTexts => {
  const values = JSON.stringify({ fields, values: rows.map((row) => row.map(({ value }) => value ?? null)) });
  const table = rows.map((row) => `<tr>${row.map(({ text }) => `<td>${escaped(text)}</td>`).join('')}</tr>`).join('');
  return {
    plain: toDelimited(rows.map((row) => row.map(({ text }) => text))),
    html: `<table ${attribute}="${inAttribute(values)}"><tbody>${table}</tbody></table>`,
  };
};

const isField = (value: unknown): value is CopiedField =>
  typeof value === 'object' && value !== null && 'id' in value && 'type' in value && 'name' in value;

/** What was copied here; undefined for what another program has put there, or for what is not what it claims to be. */
const ourCells = (html: string, texts: readonly (readonly string[])[]): CopiedCells | undefined => {
  const written = new DOMParser()
    .parseFromString(html, 'text/html')
    .querySelector(`table[${attribute}]`)
    ?.getAttribute(attribute);
  if (written == null) return undefined;
  try {
    const { fields, values } = JSON.parse(written) as { fields: unknown; values: unknown };
    if (!Array.isArray(fields) || !fields.every(isField) || !Array.isArray(values) || values.length !== texts.length)
      return undefined;
    if (!values.every((row) => Array.isArray(row) && row.length === fields.length)) return undefined;
    return {
      fields,
      rows: (values as unknown[][]).map((row, index) =>
        row.map((value, column) => ({ text: texts[index]?.[column] ?? '', ...(value === null ? {} : { value }) })),
      ),
    };
  } catch {
    return undefined;
  }
};

export const fromClipboard = ({ plain, html }: ClipboardTexts): CopiedCells => {
  const texts = fromDelimited(plain);
  return (
    (html === '' ? undefined : ourCells(html, texts)) ?? { rows: texts.map((row) => row.map((text) => ({ text }))) }
  );
};
