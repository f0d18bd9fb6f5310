// A template is a text in which `{trigger.Name}` stands for a value and `{= …}` for a formula; `\{` is a brace. It is the formula that joins its parts, so there is one language.
import { FormulaError } from '../formula/error.ts';
import { parse, type Tree } from '../formula/parse.ts';

export type Part = { kind: 'text' | 'reference' | 'formula'; text: string };

const noEnd = (start: number): FormulaError =>
  new FormulaError('This brace has no end', { start, end: start + 1, expected: '"}", or "\\{" for a brace' });

/** The place of the brace that ends what begins at `from`. A formula may hold texts and names in braces. */
const endOf = (text: string, from: number, isFormula: boolean): number => {
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (letter === '\\') at += 1;
    else if (letter === '}') return at;
    else if (isFormula && letter === '{') at = endOf(text, at + 1, false);
    else if (isFormula && (letter === '"' || letter === "'")) {
      for (at += 1; at < text.length && text[at] !== letter; at += 1) if (text[at] === '\\') at += 1;
    }
  }
  throw noEnd(from - 1);
};

export const partsOfTemplate = (text: string): Part[] => {
  const parts: Part[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string;
    const next = text[at + 1];
    if (letter === '\\' && (next === '{' || next === '}' || next === '\\')) {
      plain += next;
      at += 1;
    } else if (letter === '{') {
      flush();
      const isFormula = next === '=';
      const end = endOf(text, at + 1, isFormula);
      parts.push(
        isFormula
          ? { kind: 'formula', text: text.slice(at + 2, end) }
          : { kind: 'reference', text: text.slice(at + 1, end) },
      );
      at = end;
    } else plain += letter;
  }
  flush();
  return parts;
};

export const templateText = (parts: readonly Part[]): string =>
  parts
    .map(({ kind, text }) =>
      kind === 'text' ? text.replace(/[\\{}]/g, '\\$&') : kind === 'formula' ? `{=${text}}` : `{${text}}`,
    )
    .join('');

const span = { start: 0, end: 0, depth: 1 };

export const templateTree = (parts: readonly Part[]): Tree => {
  const trees = parts.map(
    ({ kind, text }): Tree =>
      kind === 'text'
        ? { op: 'text', value: text, ...span }
        : kind === 'reference'
          ? { op: 'field', key: text.replace(/\\(.)/g, '$1'), ...span }
          : parse(text),
  );
  const depth = 1 + trees.reduce((most, tree) => Math.max(most, tree.depth), 0);
  return { op: 'chain', sign: '&', parts: [{ op: 'text', value: '', ...span }, ...trees], start: 0, end: 0, depth };
};
