// The typed tree: every term knows what it gives, and nothing is left to be guessed by PostgreSQL.
import type { FormulaFunction } from './function.ts';
import type { Sign } from './parse.ts';

/** As SQL: text, double precision, boolean, timestamptz; a list of any is a jsonb array that is never empty. */
export type Kind = 'text' | 'number' | 'boolean' | 'datetime';

export interface Type {
  /** `blank`: of BLANK() alone, it becomes whatever is wanted. */
  kind: Kind | 'blank';
  list: boolean;
}

export type Arithmetic = '+' | '-' | '*' | '/';
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

interface Common {
  type: Type;
  /** Whether it can be empty without anything having failed. */
  blank: boolean;
}

export type Term = Common &
  (
    | { op: 'constant'; value: string | number | boolean | null }
    | { op: 'field'; id: string }
    | { op: 'arithmetic'; sign: Arithmetic; left: Term; right: Term }
    | { op: 'negative'; of: Term }
    | { op: 'compare'; sign: Comparison; left: Term; right: Term }
    | { op: 'join'; parts: Term[] }
    | { op: 'every' | 'some'; parts: Term[] }
    | { op: 'call'; definition: FormulaFunction; args: Term[] }
    /** Put in by the checker where another type is wanted. */
    | { op: 'convert'; of: Term }
  );

export type CallTerm = Extract<Term, { op: 'call' }>;

export const single = (kind: Type['kind']): Type => ({ kind, list: false });
export const listOf = (kind: Type['kind']): Type => ({ kind, list: true });

export const constant = (value: string | number | boolean | null, kind: Type['kind']): Term => ({
  op: 'constant',
  type: single(kind),
  blank: value === null,
  value,
});

/** The same term as another type: itself if it is of that type already. */
export const convert = (term: Term, { kind, list }: Type): Term => {
  // Not ERROR(), which is nothing either but has to be seen.
  if (term.op === 'constant' && term.value === null) return { ...term, type: { kind, list } };
  if (term.type.kind === kind && term.type.list === list) return term;
  return { op: 'convert', type: { kind, list }, blank: term.blank, of: term };
};

/** What values of these types have in common; text is what everything can become. */
export const commonType = (types: readonly Type[]): Type => {
  const known = types.filter(({ kind }) => kind !== 'blank');
  const [first] = known;
  if (first === undefined) return single('blank');
  return {
    kind: known.every(({ kind }) => kind === first.kind) ? first.kind : 'text',
    list: known.every(({ list }) => list),
  };
};

/** The terms right below. */
export const partsOf = (term: Term): Term[] => {
  switch (term.op) {
    case 'arithmetic':
    case 'compare':
      return [term.left, term.right];
    case 'negative':
    case 'convert':
      return [term.of];
    case 'join':
    case 'every':
    case 'some':
      return term.parts;
    case 'call':
      return term.args;
    default:
      return [];
  }
};

/** How often a field is an operand of + - * / in a term; NaN when it stands elsewhere, too. */
export const timesAsOperand = (term: Term, id: string, isOperand = false): number => {
  if (term.op === 'field') return term.id !== id ? 0 : isOperand ? 1 : Number.NaN;
  return partsOf(term).reduce(
    (count, part) => count + timesAsOperand(part, id, term.op === 'arithmetic' || term.op === 'negative'),
    0,
  );
};

export const isSign = <S extends Sign>(sign: Sign, signs: readonly S[]): sign is S =>
  (signs as readonly Sign[]).includes(sign);
