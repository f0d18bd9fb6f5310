// Brings the cursor to a cell whose row may have to be unfolded, loaded or read again first.
import { useEffect, useState } from 'react';
import type { RecordWindow } from '../../record-data/record-window.ts';
import type { Found } from '../query/search-box.tsx';
import { selectCell, unloadedKey } from './selection/record-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';

interface GoalInput {
  cursor: Cursor;
  window: RecordWindow;
  fieldIds: readonly string[];
  /** Opens the groups around a place; answers its row. */
  reveal: (place: number) => number;
  scrollTo: (row: number, column: number) => void;
  /** What a search has found. */
  found: Found | undefined;
  /** Of the window. */
  version: string;
}

interface Goal {
  show: (key: string, fieldId: string) => void;
  /** Somebody has gone elsewhere. */
  forget: () => void;
}

export const useGoal = ({ cursor, window, fieldIds, reveal, scrollTo, found, version }: GoalInput): Goal => {
  const { drawnRows } = cursor;
  const [goal, setGoal] = useState<{ key: string; fieldId: string }>();
  /** What was found and is not among the rows that are loaded: they are elsewhere, or older than what found it. */
  const [sought, setSought] = useState<Found>();
  const show = (key: string, fieldId: string): void => {
    cursor.select(selectCell(key, fieldId));
    setGoal({ key, fieldId });
  };
  // A place is gone to once, not whenever a column changes.
  useEffect(() => {
    if (found === undefined || !fieldIds.includes(found.fieldId)) return;
    setSought(found);
    if (window.placeOf(found.recordId) !== undefined) return;
    setGoal({ key: unloadedKey(reveal(found.row)), fieldId: found.fieldId });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [found]);
  // A record is gone to, not a number: the rows of another moment have another record there.
  useEffect(() => {
    const place = sought === undefined ? undefined : window.placeOf(sought.recordId);
    if (sought === undefined || place === undefined) return;
    reveal(place);
    show(sought.recordId, sought.fieldId);
    setSought(undefined);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [sought, window, version]);
  // When the groups around it have opened.
  useEffect(() => {
    const row = goal === undefined ? undefined : drawnRows.rowOf(goal.key);
    if (goal === undefined || row === undefined) return;
    scrollTo(row, fieldIds.indexOf(goal.fieldId));
    setGoal(undefined);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [goal, drawnRows, fieldIds]);
  return { show, forget: () => setSought(undefined) };
};
