// Requests that make, move or delete records. Each is a step to undo, or part of the one that is named.
import type { BodyOf, ByteStream } from '@rowhouse/contract/endpoint.ts';
import { ApiError, type ErrorCode } from '@rowhouse/contract/error.ts';
import { createRecords, duplicateRecord, type RecordVo } from '@rowhouse/contract/record.ts';
import {
  clearRanges,
  deleteSelection,
  deleteSelectionStream,
  type DeletionEvent,
} from '@rowhouse/contract/selection.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { call } from '../../app/call.ts';
import { inStep } from '../../app/window-steps.ts';

/** These records, in this order, next to another one. */
export type RecordRun = BodyOf<typeof moveRecords>;

const noting = () => {
  const noted: { operationId: string | undefined } = { operationId: undefined };
  return {
    noted,
    onHeaders: (headers: Headers): void => void (noted.operationId = headers.get('x-operation-id') ?? undefined),
  };
};

export const makeRecords = async (
  tableId: string,
  body: BodyOf<typeof createRecords>,
  headers: Record<string, string> = {},
): Promise<RecordVo[]> => (await call(createRecords, { params: { tableId }, body, headers })).records;

export const copyRecord = async (tableId: string, viewId: string, recordId: string): Promise<RecordVo[]> =>
  (
    await call(duplicateRecord, {
      params: { tableId, recordId },
      body: { viewId, anchorId: recordId, position: 'after' },
    })
  ).records;

export const placeRecords = (tableId: string, viewId: string, run: RecordRun, step?: string): Promise<unknown> =>
  call(moveRecords, { params: { tableId, viewId }, body: run, headers: inStep(step) });

/** Which records are meant: by name, or all that a view shows but some. By its filter as it was on the screen: somebody may have changed it since. */
export type Meant =
  | { recordIds: readonly string[] }
  | { viewId: string; filter: View['filter'] | undefined; excludeRecordIds: readonly string[] };

/** How many of how many are deleted. */
export interface Progress {
  processed: number;
  total: number;
}

const bodyOf = (meant: Meant): BodyOf<typeof deleteSelection> =>
  'viewId' in meant
    ? {
        viewId: meant.viewId,
        ignoreViewQuery: true,
        ...(meant.filter == null ? {} : { filter: JSON.stringify(meant.filter) }),
        selection: { excludeRecordIds: [...meant.excludeRecordIds] },
      }
    : { selection: { recordIds: [...meant.recordIds] } };

/** Empties fields in every record that the view shows, by its filter as it was on the screen, in one request. Answers whether anything has changed. */
export const clearFields = async (
  tableId: string,
  view: View,
  fieldIds: readonly string[],
  step: string,
): Promise<boolean> => {
  const { noted, onHeaders } = noting();
  const body = {
    viewId: view.id,
    ignoreViewQuery: true,
    ...(view.filter == null ? {} : { filter: view.filter }),
    projection: [...fieldIds],
    type: 'columns' as const,
    ranges: [[0, fieldIds.length - 1]],
  };
  await call(clearRanges, { params: { tableId }, body, headers: inStep(step), onHeaders });
  return noted.operationId !== undefined;
};

/** All of them in one request, however many. Answers how many there were. */
export const removeRecords = async (tableId: string, meant: Meant, step: string): Promise<number> =>
  (await call(deleteSelection, { params: { tableId }, body: bodyOf(meant), headers: inStep(step) })).ids.length;

async function* eventsOf(stream: ByteStream): AsyncGenerator<DeletionEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + decoder.decode(part.value, { stream: true })).split('\n\n');
    text = lines.pop() as string;
    for (const line of lines) yield JSON.parse(line.slice('data: '.length)) as DeletionEvent;
  }
}

/** The same for very many, and tells how far it is. */
export const removeMany = async (
  tableId: string,
  meant: Meant,
  step: string,
  onProgress: (progress: Progress) => void,
): Promise<number> => {
  for await (const event of eventsOf(
    await call(deleteSelectionStream, { params: { tableId }, body: bodyOf(meant), headers: inStep(step) }),
  )) {
    if (event.id === 'error') throw new ApiError(event.code as ErrorCode, event.message);
    if (event.id === 'done') return event.data.ids.length;
    onProgress({ processed: event.processedCount, total: event.totalCount });
  }
  throw new Error('The connection was lost before the server had said whether the records are deleted.');
};
