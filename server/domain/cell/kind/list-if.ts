// Cells of a kind as lists of such cells, for what is looked up through a link that leads to several records.
import type { CellType } from '../type.ts';
import { choiceListCells } from './choice.sql.ts';
import { linkListCells } from './link.sql.ts';
import { listCells } from './list.sql.ts';
import { personListCells } from './person.sql.ts';

const made = new WeakMap<CellType, CellType>();

const listOf = (cells: CellType): CellType => {
  switch (cells.kind) {
    case 'choice':
      return choiceListCells;
    case 'person':
      return personListCells;
    case 'link':
      return linkListCells;
    default: {
      const known = made.get(cells) ?? listCells(cells);
      made.set(cells, known);
      return known;
    }
  }
};

export const listIf = (cells: CellType, isMultiple: boolean): CellType =>
  isMultiple && !cells.isMultiple ? listOf(cells) : cells;
