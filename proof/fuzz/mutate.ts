// One change to a request that was good: at a random place of its parameters, query or body.
import type { Random } from '../random.ts';
import { anyText, anyValue, jsonText, raw } from './values.ts';

type Path = (string | number)[];

const placesIn = (value: unknown, path: Path = []): Path[] => {
  if (Array.isArray(value)) return [path, ...value.flatMap((item, at) => placesIn(item, [...path, at]))];
  if (typeof value === 'object' && value !== null)
    return [path, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]))];
  return [path];
};

/** Without prototypes in the way: a key may be called `__proto__`. */
const withKey = (object: object, key: string, value: unknown): object => {
  const copy = { ...object };
  Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
};

const at = (value: unknown, [step, ...rest]: Path, change: (found: unknown) => unknown): unknown => {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? at(item, rest, change) : item));
  return withKey(value as object, String(step), at((value as Record<string, unknown>)[step], rest, change));
};

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

const changeText = (text: string, random: Random): unknown => {
  switch (random.below(8)) {
    case 0:
      return text + anyText(random);
    case 1:
      return text.slice(0, -1);
    case 2:
      return swapCase(text);
    case 3:
      return [text];
    case 4:
      return { id: text };
    case 5:
      return ` ${text} `;
    case 6:
      return `${text}\0`;
    default:
      return text.repeat(random.pick([2, 40]));
  }
};

const changeObject = (object: object, random: Random): unknown => {
  const keys = Object.keys(object);
  switch (random.below(5)) {
    case 0:
    case 1: {
      const gone = keys.length === 0 ? '' : random.pick(keys);
      return Object.fromEntries(Object.entries(object).filter(([key]) => key !== gone));
    }
    case 2:
      return withKey(object, anyText(random), anyValue(random));
    case 3: {
      const key = keys.length === 0 ? '' : random.pick(keys);
      return Object.fromEntries(
        Object.entries(object).map(([name, value]) => [
          name === key ? random.pick([swapCase(name), `${name} `, anyText(random)]) : name,
          value,
        ]),
      );
    }
    default:
      return Object.entries(object);
  }
};

const changeList = (list: unknown[], random: Random): unknown => {
  switch (random.below(6)) {
    case 0:
      return [];
    case 1:
      return [...list, ...list];
    case 2:
      return [...list, anyValue(random)];
    case 3:
      return list[0];
    case 4:
      return { ...list };
    default:
      return Array.from({ length: random.pick([60, 501, 1_001]) }, () => list[0]);
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `ids` are good ones of other kinds, which belong elsewhere. */
const change = (found: unknown, ids: readonly string[], random: Random): unknown => {
  // What is large already is not made larger: several changes would multiply each other.
  if (random.once(3) || (JSON.stringify(found) ?? '').length > 20_000) return anyValue(random);
  if (random.once(6)) return random.pick(ids);
  if (typeof found === 'string') {
    // Filters, sorts and groups travel as text that is JSON.
    const inner = /^[[{]/.test(found) && random.below(4) > 0 ? parsed(found) : undefined;
    if (inner !== undefined) return jsonText(mutated(inner, ids, random));
    return changeText(found, random);
  }
  if (typeof found === 'number')
    return random.pick([found + 0.5, -found, found * 1e6, String(found), [found], raw('1e999')]);
  if (typeof found === 'boolean') return random.pick([!found, String(found), Number(found), null]);
  if (Array.isArray(found)) return changeList(found, random);
  if (typeof found === 'object' && found !== null) return changeObject(found, random);
  return anyValue(random);
};

export const mutated = (value: unknown, ids: readonly string[], random: Random): unknown =>
  at(value, random.pick(placesIn(value)), (found) => change(found, ids, random));
