// A value of a step as a text with chips: what is typed, and in it what comes from the record that started it and from earlier steps.
import { isFormulaValue, isTemplateValue } from '@rowhouse/contract/automation-definition.ts';

export type ValuePart = { text: string } | { chip: string };

/** Where the brace ends that is open before `from`; a formula may hold others, and texts. */
const endOf = (text: string, from: number, isFormula: boolean): number => {
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\\') at += 1;
    else if (letter === '}') return at;
    else if (isFormula && letter === '{') at = endOf(text, at + 1, false);
    else if (isFormula && (letter === '"' || letter === "'"))
      for (at += 1; at < text.length && text[at] !== letter; at += 1) if (text[at] === '\\') at += 1;
  }
  return text.length;
};

/** A template, part by part. `\{` is a brace; a chip that begins with `=` is a formula. */
export const templateParts = (template: string): ValuePart[] => {
  const found: ValuePart[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') found.push({ text: plain });
    plain = '';
  };
  for (let at = 0; at < template.length; at += 1) {
    const letter = template[at] as string;
    const next = template[at + 1];
    if (letter === '\\' && next !== undefined && '\\{}'.includes(next)) {
      plain += next;
      at += 1;
    } else if (letter === '{') {
      flush();
      const end = endOf(template, at + 1, next === '=');
      found.push({ chip: template.slice(at + 1, end) });
      at = end;
    } else plain += letter;
  }
  flush();
  return found;
};

const reference = /^\{([^{}=][^{}]*)\}$/;

/** Undefined for a formula that is more than one value: it is shown as a formula. */
export const partsOf = (value: unknown): ValuePart[] | undefined => {
  if (isTemplateValue(value)) return templateParts(value.template);
  if (isFormulaValue(value)) {
    const chip = reference.exec(value.formula.trim())?.[1];
    return chip === undefined ? undefined : [{ chip }];
  }
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value === '' ? [] : [{ text: value }];
  if (typeof value === 'object') return [{ text: JSON.stringify(value) }];
  return [{ text: String(value) }];
};

const escaped = (text: string): string => text.replaceAll(/[\\{}]/g, '\\$&');

/** One chip alone keeps the kind of what it stands for: a link, a number, people. */
export const valueOf = (given: readonly ValuePart[], isNumber = false): unknown => {
  const [first] = given;
  if (given.every((part) => 'text' in part)) {
    const text = given.map((part) => ('text' in part ? part.text : '')).join('');
    if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
    return text;
  }
  if (given.length === 1 && first !== undefined && 'chip' in first && !first.chip.startsWith('='))
    return { formula: `{${first.chip}}` };
  return { template: given.map((part) => ('text' in part ? escaped(part.text) : `{${part.chip}}`)).join('') };
};
