// The text of a formula as the editor shows it: its parts in colours, fields by their names, and what could be written next.
import type { Field } from '@rowhouse/contract/field.ts';
import { functionHelp } from '@rowhouse/contract/formula.ts';

export interface FormulaPart {
  kind: 'field' | 'function' | 'text' | 'number' | 'comment' | 'plain';
  text: string;
  start: number;
}

const form =
  /(?<comment>\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*)|(?<text>"(?:\\[\s\S]|[^"\\])*(?:"|$)|'(?:\\[\s\S]|[^'\\])*(?:'|$))|(?<field>\{(?:\\[\s\S]|[^}\\])*(?:\}|$))|(?<number>\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)|(?<function>[A-Za-z_][A-Za-z0-9_]*(?=\s*\())/giu;

/** All of the text, part by part. */
export const formulaParts = (text: string): FormulaPart[] => {
  const parts: FormulaPart[] = [];
  let end = 0;
  const plain = (until: number): void => {
    if (until > end) parts.push({ kind: 'plain', text: text.slice(end, until), start: end });
  };
  for (const match of text.matchAll(form)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) as [
      FormulaPart['kind'],
      string,
    ];
    plain(match.index);
    parts.push({ kind, text: match[0], start: match.index });
    end = match.index + match[0].length;
  }
  plain(text.length);
  return parts;
};

const braced = (name: string): string => `{${name.replace(/[\\}]/g, '\\$&')}}`;

/** As it is stored → as people read it. A field that is gone stays an id. */
export const withFieldNames = (text: string, fields: readonly Pick<Field, 'id' | 'name'>[]): string => {
  const names = new Map(fields.map(({ id, name }) => [id, name]));
  return formulaParts(text)
    .map((part) => {
      const name = part.kind === 'field' ? names.get(part.text.slice(1, -1).trim()) : undefined;
      return name === undefined ? part.text : braced(name);
    })
    .join('');
};

export interface Suggestion {
  label: string;
  help: string;
  /** What stands in place of what was typed from `start` on, and where the cursor is then. */
  start: number;
  insert: string;
  cursor: number;
}

export interface Completion {
  end: number;
  suggestions: Suggestion[];
}

const most = 8;

const starting = <T>(list: readonly T[], labelOf: (item: T) => string, typed: string): T[] => {
  const wanted = typed.toLowerCase();
  const first = list.filter((item) => labelOf(item).toLowerCase().startsWith(wanted));
  return [
    ...first,
    ...list.filter((item) => !first.includes(item) && labelOf(item).toLowerCase().includes(wanted)),
  ].slice(0, most);
};

const suggestField = ({ name }: Pick<Field, 'name'>, start: number): Suggestion => ({
  label: name,
  help: 'Field',
  start,
  insert: braced(name),
  cursor: braced(name).length,
});

/** Where a name begins that was typed without braces: it may be several words. `undefined` when the text before the cursor does not end with its beginning. */
const startOfName = (before: string, name: string): number | undefined => {
  const [typed, wanted] = [before.toLowerCase(), name.toLowerCase()];
  for (let start = Math.max(0, typed.length - wanted.length); start < typed.length; start += 1) {
    if (wanted.startsWith(typed.slice(start)) && !/[\p{L}\p{N}_]$/u.test(typed.slice(0, start))) return start;
  }
  return undefined;
};

/** What could be meant by what stands before the cursor. */
export const completionAt = (
  text: string,
  cursor: number,
  fields: readonly Pick<Field, 'name'>[],
): Completion | undefined => {
  const part = formulaParts(text).find(({ start, text: own }) => start < cursor && cursor <= start + own.length);
  if (part === undefined || part.kind === 'text' || part.kind === 'comment' || part.kind === 'number') return undefined;
  if (part.kind === 'field') {
    const isClosed = part.text.endsWith('}') && part.text.length > 1;
    if (isClosed && cursor === part.start + part.text.length) return undefined;
    const typed = text.slice(part.start + 1, cursor);
    const found = starting(fields, ({ name }) => name, typed.trim());
    return {
      end: isClosed ? part.start + part.text.length : cursor,
      suggestions: found.map((field) => suggestField(field, part.start)),
    };
  }
  const word = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(text.slice(0, cursor))?.[0];
  if (word === undefined) return undefined;
  const isCalled = /^[A-Za-z0-9_]*\s*\(/.test(text.slice(cursor));
  if (isCalled && functionHelp.some(({ name }) => name === word.toUpperCase())) return undefined;
  const start = cursor - word.length;
  const functions = starting(functionHelp, ({ name }) => name, word).map(({ name, values, help }) => ({
    label: `${name}(${values.join(', ')})`,
    help,
    start,
    insert: isCalled ? name : `${name}()`,
    cursor: name.length + 1,
  }));
  const before = text.slice(part.start, cursor);
  const begun = fields.flatMap((field) => {
    const from = startOfName(before, field.name);
    return from === undefined ? [] : [{ field, start: part.start + from }];
  });
  const named = [
    ...begun.toSorted((one, other) => one.start - other.start).map((one) => suggestField(one.field, one.start)),
    ...starting(fields, ({ name }) => name, word)
      .filter((field) => !begun.some((one) => one.field === field))
      .map((field) => suggestField(field, start)),
  ];
  return { end: cursor, suggestions: [...named, ...functions].slice(0, most) };
};

/** The function whose parentheses the cursor is in. */
export const functionAt = (text: string, cursor: number): (typeof functionHelp)[number] | undefined => {
  const open: string[] = [];
  let name = '';
  for (const part of formulaParts(text)) {
    if (part.start >= cursor) break;
    if (part.kind === 'function') name = part.text;
    if (part.kind !== 'plain') continue;
    for (const sign of part.text.slice(0, Math.max(0, cursor - part.start))) {
      if (sign === '(') open.push(name);
      if (sign === ')') open.pop();
      if (sign.trim() !== '') name = '';
    }
  }
  const wanted = open.findLast((one) => one !== '')?.toUpperCase();
  return functionHelp.find((help) => help.name === wanted);
};

/** Where its cells come from, in words. */
export const sourceWords = (
  { options }: Pick<Field, 'options'>,
  fields: readonly Pick<Field, 'id' | 'name'>[],
): string => {
  const text = String(options['expression'] ?? '');
  const names = new Map(fields.map(({ id, name }) => [id, name]));
  const sources = [
    ...new Set(
      formulaParts(text).flatMap((part) =>
        part.kind === 'field' ? [names.get(part.text.slice(1, -1).trim()) ?? 'a hidden field'] : [],
      ),
    ),
  ];
  return sources.length === 0 ? 'It uses no other field.' : `It uses ${sources.join(', ')}.`;
};
