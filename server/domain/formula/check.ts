// Tree → typed tree: fields and functions are found, types are derived, conversions are put in. A type never makes a
// formula wrong, because everything converts: a formula stays right when a field it names is converted.
import { FormulaError } from './error.ts';
import type { FormulaFunction } from './function.ts';
import { findFunction, functionNames } from './functions.ts';
import { nearestOf } from './nearest.ts';
import type { Tree } from './parse.ts';
import {
  type Arithmetic,
  type CallTerm,
  type Comparison,
  constant,
  convert,
  isSign,
  partsOf,
  single,
  type Term,
  type Type,
} from './term.ts';

interface KnownField {
  id: string;
  name: string;
  type: Type;
}

interface Scope {
  /** By id or by name. */
  field: (key: string) => KnownField | undefined;
  fieldNames: () => Iterable<string>;
}

export interface Checked {
  term: Term;
  /** Ids of the fields it names, in order of appearance. */
  references: string[];
  isVolatile: boolean;
}

const signatureOf = ({ name, parameters, repeats = 0 }: FormulaFunction): string => {
  const words = parameters.map(({ name: word, fallback }) => (fallback === undefined ? word : `[${word}]`));
  return `${name}(${words.join(', ')}${repeats > 0 ? ', …' : ''})`;
};

const demandCount = (definition: FormulaFunction, tree: Tree & { op: 'call' }): void => {
  const { parameters, repeats = 0 } = definition;
  const least = parameters.filter(({ fallback }) => fallback === undefined).length;
  const given = tree.args.length;
  if (given >= least && (given <= parameters.length || repeats > 0)) return;
  const signature = signatureOf(definition);
  const wanted =
    repeats > 0 ? `at least ${least}` : least === parameters.length ? `${least}` : `${least} to ${parameters.length}`;
  throw new FormulaError(
    `${definition.name} takes ${wanted} ${wanted === '1' || wanted === 'at least 1' ? 'value' : 'values'}, ${given} given`,
    { start: tree.start, end: tree.end, expected: signature },
  );
};

const parameterAt = (
  { parameters, repeats = 0 }: FormulaFunction,
  at: number,
): FormulaFunction['parameters'][number] => {
  const known =
    parameters[at] ?? parameters[parameters.length - repeats + ((at - parameters.length) % Math.max(repeats, 1))];
  if (known === undefined) throw new Error('an argument without a parameter');
  return known;
};

const asParameters = (definition: FormulaFunction, args: readonly Term[]): Term[] =>
  args.map((arg, at) => {
    const { kind } = parameterAt(definition, at);
    if (definition.takesLists === true) return kind === 'any' ? arg : convert(arg, { kind, list: arg.type.list });
    return convert(arg, single(kind === 'any' ? arg.type.kind : kind));
  });

const withFallbacks = ({ parameters }: FormulaFunction, args: readonly Term[]): Term[] => [
  ...args,
  ...parameters
    .slice(args.length)
    .map(({ kind, fallback }) => ({ ...constant(fallback ?? null, kind === 'any' ? 'blank' : kind), blank: false })),
];

const callOf = (definition: FormulaFunction, given: readonly Term[]): CallTerm => {
  const all = withFallbacks(definition, given);
  const { type, args, blank } = definition.shape?.(all) ?? {
    type: single(definition.result ?? 'text'),
    args: asParameters(definition, all),
  };
  const rule = definition.blank ?? 'as arguments';
  return {
    op: 'call',
    type,
    definition,
    args,
    blank: blank ?? (rule === 'always' || (rule === 'as arguments' && given.some((arg) => arg.blank))),
  };
};

const isNumeric = ({ kind }: Type): boolean => kind === 'number' || kind === 'boolean' || kind === 'blank';

const arithmeticOf = (sign: Arithmetic, left: Term, right: Term): Term => {
  // Teable adds numbers and joins anything else.
  if (sign === '+' && !(isNumeric(left.type) && isNumeric(right.type))) {
    return {
      op: 'join',
      type: single('text'),
      blank: false,
      parts: [left, right].flatMap((part) => (part.op === 'join' ? part.parts : [convert(part, single('text'))])),
    };
  }
  return {
    op: 'arithmetic',
    type: single('number'),
    blank: false,
    sign,
    left: convert(left, single('number')),
    right: convert(right, single('number')),
  };
};

/** Two sides that can be compared: of one kind, if they have one in common. */
const sidesOf = (left: Term, right: Term): [Term, Term] => {
  if (left.type.kind === 'blank' && right.type.kind === 'blank')
    return [convert(left, single('text')), convert(right, single('text'))];
  if (left.type.kind === 'blank') return [convert(left, right.type), right];
  if (right.type.kind === 'blank') return [left, convert(right, left.type)];
  // A list is compared by the text that it shows.
  const whole = (side: Term): Term => (side.type.list ? convert(side, single('text')) : side);
  const [one, other] = [whole(left), whole(right)];
  const kinds = new Set([one.type.kind, other.type.kind]);
  if (kinds.size === 1) return [one, other];
  const kind: Type['kind'] =
    kinds.has('datetime') && kinds.has('text')
      ? 'datetime'
      : kinds.has('number') && !kinds.has('datetime')
        ? 'number'
        : 'text';
  return [convert(one, single(kind)), convert(other, single(kind))];
};

const comparisons: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>='];

export const check = (tree: Tree, scope: Scope): Checked => {
  const references = new Set<string>();

  const fieldOf = ({ key, start, end }: Tree & { op: 'field' }): Term => {
    const field = scope.field(key) ?? scope.field(key.trim());
    if (field === undefined) {
      const near = nearestOf(key.trim(), scope.fieldNames());
      throw new FormulaError(`There is no field {${key}} in this table`, {
        start,
        end,
        expected: 'the name or id of a field of this table',
        ...(near === undefined ? {} : { nearest: `{${near}}` }),
      });
    }
    references.add(field.id);
    return { op: 'field', type: field.type, blank: true, id: field.id };
  };

  const calledOf = (call: Tree & { op: 'call' }): Term => {
    const definition = findFunction(call.name);
    if (definition === undefined) {
      const near = nearestOf(call.name, functionNames);
      throw new FormulaError(`There is no function ${call.name.toUpperCase()}`, {
        start: call.start,
        end: call.start + call.name.length,
        expected: 'the name of a function',
        ...(near === undefined ? {} : { nearest: near }),
      });
    }
    demandCount(definition, call);
    if (definition.name === 'BLANK') return constant(null, 'blank');
    const term = callOf(definition, call.args.map(termOf));
    const wrong = definition.verify?.(term.args);
    if (wrong !== undefined) {
      const { start, end } = call.args[wrong.at] ?? call;
      throw new FormulaError(wrong.message, {
        start,
        end,
        expected: wrong.expected,
        ...(wrong.nearest === undefined ? {} : { nearest: wrong.nearest }),
      });
    }
    return term;
  };

  const binaryOf = ({ sign, left, right }: Tree & { op: 'binary' }): Term => {
    if (isSign(sign, comparisons)) {
      const [one, other] = sidesOf(termOf(left), termOf(right));
      return { op: 'compare', type: single('boolean'), blank: false, sign, left: one, right: other };
    }
    if (sign === '%') return callOf(findFunction('%') as FormulaFunction, [termOf(left), termOf(right)]);
    return arithmeticOf(sign as Arithmetic, termOf(left), termOf(right));
  };

  const chainOf = ({ sign, parts }: Tree & { op: 'chain' }): Term => {
    if (sign === '&')
      return {
        op: 'join',
        type: single('text'),
        blank: false,
        parts: parts.map((part) => convert(termOf(part), single('text'))),
      };
    return {
      op: sign === '&&' ? 'every' : 'some',
      type: single('boolean'),
      blank: false,
      parts: parts.map((part) => convert(termOf(part), single('boolean'))),
    };
  };

  const termOf = (part: Tree): Term => {
    switch (part.op) {
      case 'text':
      case 'number':
      case 'boolean':
        return constant(part.value, part.op);
      case 'field':
        return fieldOf(part);
      case 'call':
        return calledOf(part);
      case 'negative':
        return { op: 'negative', type: single('number'), blank: false, of: convert(termOf(part.of), single('number')) };
      case 'binary':
        return binaryOf(part);
      case 'chain':
        return chainOf(part);
    }
  };

  const term = termOf(tree);
  return { term, references: [...references], isVolatile: isVolatile(term) };
};

const isVolatile = (term: Term): boolean =>
  (term.op === 'call' && term.definition.volatile === true) || partsOf(term).some(isVolatile);
