// Every function, by name. Names are written in any case.
import type { FormulaFunction } from './function.ts';
import { dateFunctions } from './function/date.ts';
import { listFunctions } from './function/list.ts';
import { logicFunctions } from './function/logic.ts';
import { numberFunctions, remainder } from './function/number.ts';
import { textFunctions } from './function/text.ts';

const functions = [...numberFunctions, ...textFunctions, ...logicFunctions, ...dateFunctions, ...listFunctions];

export const functionNames: readonly string[] = functions.map(({ name }) => name);

const byName = new Map(
  [...functions, remainder].flatMap((definition) =>
    [definition.name, ...(definition.aliases ?? [])].map((name) => [name, definition] as const),
  ),
);

export const findFunction = (name: string): FormulaFunction | undefined => byName.get(name.toUpperCase());
