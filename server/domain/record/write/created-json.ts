// The answer to a create, put together from what was written.
import { setImmediate } from 'node:timers/promises';
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { withoutEmails } from '../../cell/type/user.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import type { Column } from './cells.ts';
import { keyOf } from '../read/field-key.ts';
import type { Inserted } from './insert.sql.ts';

/** The cells of new records as JSON text, without those that the database computes. */
export interface CellTexts {
  at(index: number): string;
  /** Makes them while `work` is under way, which waits for the database most of its time. */
  makeDuring<T>(work: Promise<T>): Promise<T>;
}

/** More than these are made when they are sent: all at once they would take as much memory as the answer. */
const mostAhead = 2_000;
/** As many as take a millisecond or so: nobody else is served meanwhile. */
const atOnce = 100;

export const cellTexts = (sight: Sight, given: readonly Column[], keyType: FieldKeyType, count: number): CellTexts => {
  const seen = sight.hasAllFields ? given : given.filter(({ field }) => sight.byId.has(field.id));
  const columns = sight.seesCells ? seen : [];
  const keys = columns.map(({ field }) => keyOf(field, keyType));
  const values = columns.map((column) =>
    sight.seesEmails || fieldTypeOf(column.field).namesPeople !== true
      ? column.values
      : column.values.map(withoutEmails),
  );
  // One object that every record is put into in its turn: a text for each cell would be slower, and so would an object for each
  // record. A field may be called __proto__, and an object without a prototype takes three times as long.
  const cells = keys.includes('__proto__')
    ? (Object.create(null) as Record<string, unknown>)
    : ({} as Record<string, unknown>);
  const textOf = (index: number): string => {
    // What is undefined is left out.
    for (let at = 0; at < keys.length; at += 1)
      cells[keys[at] as string] = (values[at] as Column['values'])[index] ?? undefined;
    return JSON.stringify(cells);
  };
  const made: string[] = [];
  return {
    at: (index) => made[index] ?? textOf(index),
    async makeDuring(work) {
      if (count <= atOnce) return work;
      let isDone = false;
      const end = work.finally(() => {
        isDone = true;
      });
      end.catch(() => undefined);
      const most = Math.min(count, mostAhead);
      // What the database needs goes out first.
      for (await setImmediate(); !isDone && made.length < most; await setImmediate()) {
        for (let left = Math.min(atOnce, most - made.length); left > 0; left -= 1) made.push(textOf(made.length));
      }
      return end;
    },
  };
};

interface Made {
  columns: readonly Column[];
  cells: CellTexts;
  ids: readonly string[];
  inserted: Inserted;
  createdBy: string;
  permissions: string;
}

/** Adds the JSON text of the record at this place, in pieces. Joined once, all pieces of many records take half the time of a text for each record that is put together before. */
type AddRecord = (index: number, pieces: string[]) => void;

const addRecords = (sight: Sight, { columns, cells, ids, inserted, createdBy, permissions }: Made): AddRecord => {
  const {
    primary: { id: primaryId },
  } = sight.table;
  const primary = columns.find(({ field }) => field.id === primaryId);
  const shown = sight.byId.get(primaryId);
  // A name that somebody sent is theirs; one that was computed may be of hidden cells.
  const isNamed =
    sight.seesCells && shown !== undefined && (shown.seenAs === undefined || !fieldTypeOf(shown).isComputed);
  const isPublic = sight.rule.isPublic === true;
  const hidesFacts = sight.rule.hidesFacts === true;
  const { createdTime, autoNumbers, names, computed } = inserted;
  const tail = `,"createdTime":"${createdTime}","createdBy":"${createdBy}"${permissions}`;
  const addFields: AddRecord = (index, pieces) => {
    const fields = cells.at(index);
    if (computed === null) pieces.push(fields);
    else if (fields === '{}') {
      const more: string[] = [];
      computed(index, more);
      pieces.push('{', more.join('').slice(1), '}');
    } else {
      pieces.push(fields.slice(0, -1));
      computed(index, pieces);
      pieces.push('}');
    }
  };
  return (index, pieces) => {
    const name = isNamed ? (names?.[index] ?? (primary?.values[index] as string | null | undefined) ?? '') : '';
    pieces.push('{"id":"', ids[index] as string, '","name":', JSON.stringify(String(name)), ',"fields":');
    addFields(index, pieces);
    if (isPublic) pieces.push('}');
    else if (hidesFacts) pieces.push(permissions);
    else pieces.push(',"autoNumber":', autoNumbers[index] as string, tail);
  };
};

const partSize = 500;

/** The records without the brackets around them, in parts that are joined by nothing. */
export function* createdParts(sight: Sight, input: Made): Generator<string> {
  const add = addRecords(sight, input);
  const { length } = input.ids;
  for (let from = 0; from < length; from += partSize) {
    const pieces: string[] = [];
    const end = Math.min(from + partSize, length);
    for (let index = from; index < end; index += 1) {
      if (index > 0) pieces.push(',');
      add(index, pieces);
    }
    yield pieces.join('');
  }
}
