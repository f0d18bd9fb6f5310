// Tables with five formulas, and their twins: without them, and with plain fields that hold the same.
import type { BenchField } from '../cells.ts';
import { callApi, newTable, tableName } from '../ground.ts';
import type { RawTable } from '../process/raw.sql.ts';
import type { Stage } from '../process/stage.ts';

interface NewFormula {
  name: string;
  expression: string;
  /** What a plain field has to be to hold the same. */
  plain: BenchField['type'];
}

/** `many`: the names of twenty fields have numbers where those of ten have none. */
const formulas = (many: boolean): NewFormula[] => {
  const [status, date] = many ? ['Status 1', 'Date 1'] : ['Status', 'Date'];
  return [
    { name: 'Product', expression: '{Number 1} * {Number 2}', plain: 'number' },
    { name: 'Rounded', expression: 'ROUND({Product} / 3, 2)', plain: 'number' },
    { name: 'Label', expression: `UPPER({Text 1}) & " " & {${status}}`, plain: 'singleLineText' },
    { name: 'Size', expression: 'IF({Number 1} > 10000, "large", "small")', plain: 'singleLineText' },
    { name: 'Due', expression: `DATE_ADD({${date}}, 7, "day")`, plain: 'date' },
  ];
};

export type Kind = 'none' | 'formulas' | 'plain';

export const tableOf = async (stage: Stage, spaceId: string, fields: BenchField[], kind: Kind): Promise<RawTable> => {
  const table = await newTable(stage, spaceId, fields);
  if (kind === 'none') return table;
  for (const { name, expression, plain } of formulas(fields.length > 10)) {
    await callApi(
      stage,
      'POST',
      `/table/${table.tableId}/field`,
      kind === 'formulas' ? { name, type: 'formula', options: { expression } } : { name, type: plain },
    );
  }
  return table;
};

const columns = ['Product', 'Rounded', 'Label', 'Size', 'Due'].map((name) => `"${name}"`).join(', ');

/** What the formulas gave, into the plain fields of the twin, record by record. */
export const copyResults = async (stage: Stage, from: RawTable, to: RawTable): Promise<void> => {
  await stage.db.query(
    `update ${tableName(to)} t set (${columns}) = (select ${columns} from ${tableName(from)} f where f.__auto_number = t.__auto_number)`,
  );
  for (const table of [from, to]) await stage.db.query(`vacuum full analyze ${tableName(table)}`);
};
