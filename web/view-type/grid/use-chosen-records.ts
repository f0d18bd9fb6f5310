// What is done with the rows that are ticked, or else with those of the selected cells. Rows that are not loaded are asked for first.
import type { View } from '@rowhouse/contract/view.ts';
import { isTemporary } from '../../record-data/new-record-cells.ts';
import type { Meant, Progress } from '../../record-data/undo/records.ts';
import { showProblem, showToast } from '../../ui/toast.ts';
import { mostChosen } from './bulk/load-chosen.ts';
import { manyRecords } from './delete-many-dialog.tsx';
import type { Asking } from './grid-questions.tsx';
import type { GridSelection, Slice } from './selection/grid-selection.ts';
import { loadRows } from './selection/load-rows.ts';
import { noSelection } from './selection/record-selection.ts';
import type { Cursor } from './selection/use-cursor.ts';
import type { GridActions } from './use-grid-actions.ts';

interface ChosenInput {
  tableId: string;
  view: View;
  cursor: Cursor;
  fieldIds: readonly string[];
  /** Of all records of the view. */
  count: number | undefined;
  actions: GridActions;
  ask: (asking: Asking) => void;
}

interface Chosen {
  tickedCount: number;
  remove: (meant: Meant, onProgress?: (progress: Progress) => void) => Promise<void>;
  removeTicked: () => void;
  editTicked: () => void;
  onSelection: (chosen: GridSelection) => void;
}

export const useChosenRecords = ({ tableId, view, cursor, fieldIds, count, actions, ask }: ChosenInput): Chosen => {
  const { rows, drawn, recordAt } = cursor;
  const { ticked } = cursor.meant;
  const tickedCount = ticked.all ? (count ?? 0) - ticked.ids.size : ticked.ids.size;
  const remove = async (meant: Meant, onProgress?: (progress: Progress) => void): Promise<void> => {
    cursor.select(noSelection);
    await actions.remove(meant, onProgress);
  };
  const removeTicked = (): void => {
    const meant: Meant = ticked.all
      ? { viewId: view.id, filter: view.filter, excludeRecordIds: [...ticked.ids] }
      : { recordIds: [...ticked.ids] };
    if (tickedCount > manyRecords) ask({ kind: 'delete-records', meant, count: tickedCount });
    else void remove(meant);
  };
  /** Those that are ticked, or else those of the selected cells. */
  const editChosen = async (): Promise<void> => {
    const range = tickedCount === 0 ? drawn.current?.range : undefined;
    if ((range?.height ?? tickedCount) > mostChosen)
      return showToast({
        kind: 'note',
        title: `At most ${mostChosen.toLocaleString('en')} records can be edited together.`,
        detail: 'Filter the view, and edit them in parts.',
      });
    const loadable = { tableId, viewId: view.id, rows, recordAt };
    const ofRange =
      range === undefined ? [] : await loadRows(loadable, range.y, range.y + range.height - 1, fieldIds.slice(0, 1));
    const ids = new Set(ofRange.map(({ id }) => id).filter((id) => !isTemporary(id)));
    const chosen = range === undefined ? ticked : { all: false, ids };
    const chosenCount = range === undefined ? tickedCount : ids.size;
    if (chosenCount > 0) ask({ kind: 'edit-records', count: chosenCount, ticked: chosen });
  };
  const editTicked = (): void =>
    void editChosen().catch((error: unknown) => showProblem(error, 'The selected records could not be read.'));
  /** Rows that were ticked with Shift and are not loaded: their records are named as soon as they are known. */
  const onSelection = (chosen: GridSelection): void => {
    const toLoad = cursor.choose(chosen);
    if (toLoad.length === 0) return;
    const load = async (slices: readonly Slice[]): Promise<void> => {
      const parts = await Promise.all(
        slices.map(([from, to]) =>
          loadRows({ tableId, viewId: view.id, rows, recordAt }, from, to - 1, fieldIds.slice(0, 1)),
        ),
      );
      cursor.tick(parts.flat().map(({ id }) => id));
    };
    load(toLoad).catch((error: unknown) => showProblem(error, 'Not all rows were selected.'));
  };
  return { tickedCount, remove, removeTicked, editTicked, onSelection };
};
