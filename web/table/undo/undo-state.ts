// Steps that can be undone, kept for this tab, person and table.
import type { Step, UndoState } from './undo-stack.ts';

const keyOf = (userId: string, tableId: string): string => `rowhouse.undo.${userId}.${tableId}`;

const isSteps = (value: unknown): value is Step[] =>
  Array.isArray(value) && value.every((step: unknown) => Array.isArray((step as Step | null)?.operations) && (step as Step).operations.every((id) => typeof id === 'string'));

export const undoStateOf = (userId: string, tableId: string) => ({
  load(): UndoState {
    try {
      const { done, undone } = JSON.parse(sessionStorage.getItem(keyOf(userId, tableId)) ?? '{}') as Partial<UndoState>;
      return { done: isSteps(done) ? done : [], undone: isSteps(undone) ? undone : [] };
    } catch {
      return { done: [], undone: [] };
    }
  },
  save(state: UndoState): void {
    try {
      sessionStorage.setItem(keyOf(userId, tableId), JSON.stringify(state));
    } catch {
      // Full, or not allowed: then a reload forgets.
    }
  },
});
