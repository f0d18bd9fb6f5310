// Changes of fields and views are steps to undo, wherever on the screen they were made. Several of the same kind in quick
// succession, as when somebody types a filter, are one step.
import { onOperation } from '../../app/operations.ts';
import type { Step, UndoStack } from './undo-stack.ts';

const together = 1_500;

export const noteSchemaChanges = (tableId: string, undo: UndoStack, now = () => Date.now()): (() => void) => {
  let latest: { step: Step; key: string; at: number } | undefined;
  return onOperation(({ method, path, operationId }) => {
    const rest = path.split(`/table/${tableId}/`)[1];
    // An order by hand is not kept by its operation.
    if (rest === undefined || !/^(field|view)(\/|$)/.test(rest) || rest.endsWith('/record-order')) return;
    const key = `${method} ${rest}`;
    // Columns and options are not typed: each change of them is a gesture of its own.
    const isSame = method !== 'POST' && !/\/(column-meta|options)$/.test(rest) && latest !== undefined && latest.key === key && now() - latest.at < together && undo.last() === latest.step;
    const step = isSame ? undo.extend((latest as { step: Step }).step, operationId) : undo.did(operationId);
    latest = step === undefined ? undefined : { step, key, at: now() };
  });
};
