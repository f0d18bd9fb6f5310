// The way back from a conversion. The history has every cell that it changed, as it was; a cell that it did not change has the
// same JSON under both types. So the cells come back exactly, and whatever was written since is converted as usual.
import { addColumn } from './column.sql.ts';
import { type CarryCells, convertCells, growChoices, readCarried, readCells } from './convert-cells.ts';
import { carryBothInColumn, emptyColumn, readCarriedColumn, writeOldCells } from './convert-cells.sql.ts';
import { choicesOf } from '../cell/kind/choice.sql.ts';
import type { CellContext } from '../cell/type.ts';
import { fieldTypeOf, ownColumnOf } from '../cell/types.ts';

/** `opId`: the operation that converted them. */
export const revertCells =
  (opId: number): CarryCells =>
  async (tx, table, from, to, context) => {
    const [source, target] = [ownColumnOf(from), ownColumnOf(to)];
    const type = fieldTypeOf(to);
    if (target === null || (type.isComputed && type.isOnlyKept !== true))
      return convertCells(tx, table, from, to, context);
    const name = to.dbFieldName;
    if (source === null) await addColumn(tx, table, name, 'text');
    else if (fieldTypeOf(from).isComputed) await emptyColumn(tx, table, name);
    else await carryBothInColumn(tx, table, from, to);
    await writeOldCells(tx, table, name, opId);
    const { choices, add } = growChoices(to);
    const cells: CellContext = { ...context, addChoice: (_field, choice) => add(choice) };
    await readCells(tx, table, to, {
      except: opId,
      value(json) {
        const [same, carried] = json as [unknown, unknown];
        const strict = type.read(same, to, cells);
        return strict.ok ? strict.value : carried === null ? null : readCarried(carried, to, cells);
      },
    });
    await readCarriedColumn(tx, table, name, target);
    return choices.length === choicesOf(to.options).length ? to : { ...to, options: { ...to.options, choices } };
  };
