// Changing how a view shows its fields. The view on the screen changes at once; the server is told after.
import { deleteField, duplicateField, type Field, updateField } from '@rowhouse/contract/field.ts';
import { setViewColumns, setViewOptions, type View } from '@rowhouse/contract/view.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { showAtOnce } from '../../app/unanswered.ts';
import { inStep, newStep } from '../../app/window-steps.ts';
import { showProblem } from '../../ui/toast.ts';
import { type Column, type ColumnMeta, orderBetween } from '../../record-data/columns.ts';
import { fieldsQuery, viewsQuery } from '../../record-data/queries.ts';

export interface ColumnActions {
  setMeta(changes: Record<string, Partial<ColumnMeta>>, options?: { save?: boolean }): void;
  setOptions(options: Record<string, unknown>): void;
  /** The column at `from`, and those that come along, go to where the one at `to` stands. */
  move(from: number, to: number, together: readonly number[]): void;
  rename(field: Field, name: string): Promise<void>;
  duplicate(field: Field): Promise<void>;
  /** Answers the step that brings it back. */
  remove(field: Field): Promise<string>;
}

export const useColumnActions = (tableId: string, view: View, columns: readonly Column[]): ColumnActions => {
  const params = { tableId, viewId: view.id };
  const key = viewsQuery(tableId).queryKey;
  const refresh = async (): Promise<void> => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: key }),
      queryClient.invalidateQueries({ queryKey: fieldsQuery(tableId).queryKey }),
    ]);
  };
  const changed =
    (next: (shown: View) => View) =>
    (views: View[]): View[] =>
      views.map((shown) => (shown.id === view.id ? next(shown) : shown));
  const save = async (next: (shown: View) => View, request: () => Promise<unknown>): Promise<void> => {
    try {
      await showAtOnce(key, changed(next), request);
    } catch (error) {
      showProblem(error, 'The view was not changed.');
      await refresh();
    }
  };

  const setMeta: ColumnActions['setMeta'] = (changes, { save: shouldSave = true } = {}) => {
    const next = (shown: View): View => ({
      ...shown,
      columnMeta: {
        ...shown.columnMeta,
        ...Object.fromEntries(
          Object.entries(changes).map(([fieldId, meta]) => [
            fieldId,
            { order: 0, ...shown.columnMeta[fieldId], ...meta },
          ]),
        ),
      },
    });
    if (shouldSave)
      void save(next, () =>
        call(setViewColumns, {
          params,
          body: Object.entries(changes).map(([fieldId, columnMeta]) => ({ fieldId, columnMeta: { ...columnMeta } })),
        }),
      );
    else queryClient.setQueryData(key, (views) => views && changed(next)(views));
  };

  return {
    setMeta,
    setOptions(options) {
      void save(
        (shown) => ({ ...shown, options: { ...shown.options, ...options } }),
        () => call(setViewOptions, { params, body: { options } }),
      );
    },
    move(from, to, together) {
      // The primary field stays first.
      const moved = columns.filter(({ field }, index) => together.includes(index) && field.isPrimary !== true);
      if (moved.length === 0 || to === 0 || from === to) return;
      const rest = columns.filter((column) => !moved.includes(column));
      const border = from < to ? columns[to + 1] : columns[to];
      const follower = columns
        .slice(border === undefined ? columns.length : columns.indexOf(border))
        .find((column) => !moved.includes(column));
      const at = follower === undefined ? rest.length : rest.indexOf(follower);
      let order = rest[at - 1]?.order;
      setMeta(
        Object.fromEntries(
          moved.map(({ field }) => [field.id, { order: (order = orderBetween(order, rest[at]?.order)) }]),
        ),
      );
    },
    async rename(field, name) {
      await call(updateField, { params: { tableId, fieldId: field.id }, body: { name } });
      await refresh();
    },
    async duplicate(field) {
      try {
        await call(duplicateField, {
          params: { tableId, fieldId: field.id },
          body: { name: `${field.name} copy`, viewId: view.id },
        });
        await refresh();
      } catch (error) {
        showProblem(error, 'The field was not duplicated.');
      }
    },
    async remove(field) {
      const step = newStep();
      await call(deleteField, { params: { tableId, fieldId: field.id }, headers: inStep(step) });
      await refresh();
      return step;
    },
  };
};
