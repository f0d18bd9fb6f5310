// What rollups make of the cells of linked records. The server computes by it, the app offers by it.
import { type CellValueType, rollupFunctions, type RollupFunction } from './field.ts';

interface RollupResult {
  cellValueType: CellValueType;
  isMultiple: boolean;
}

const form = /^(\w+)\(\{values\}\)$/;

/** `sum({values})` → `sum`; undefined for what is none. */
export const rollupFunctionIn = (expression: unknown): RollupFunction | undefined => {
  const name = form.exec(String(expression))?.[1];
  return rollupFunctions.find((one) => one === name);
};

const single = (cellValueType: CellValueType): RollupResult => ({ cellValueType, isMultiple: false });

/** What a function gives of cells like these; undefined when it has no use for them. */
export const rollupResult = (name: RollupFunction, cellValueType: CellValueType): RollupResult | undefined => {
  switch (name) {
    case 'countall':
    case 'counta':
    case 'count':
      return single('number');
    case 'sum':
    case 'average':
      return cellValueType === 'number' ? single('number') : undefined;
    case 'max':
    case 'min':
      return cellValueType === 'number' || cellValueType === 'dateTime' ? single(cellValueType) : undefined;
    case 'and':
    case 'or':
    case 'xor':
      return cellValueType === 'boolean' ? single('boolean') : undefined;
    case 'array_join':
    case 'concatenate':
      return single('string');
    case 'array_unique':
    case 'array_compact':
      return { cellValueType, isMultiple: true };
  }
};
