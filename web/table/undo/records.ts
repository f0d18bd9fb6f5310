// Requests that make or delete records, with the id of the operation that each was.
import { createRecords, duplicateRecord, type RecordVo } from '@rowhouse/contract/record.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { deleteSelection } from '@rowhouse/contract/selection.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { call } from '../../app/call.ts';

export interface Made {
  records: RecordVo[];
  operationId: string | undefined;
}

const noting = () => {
  const noted: { operationId: string | undefined } = { operationId: undefined };
  return { noted, onHeaders: (headers: Headers): void => void (noted.operationId = headers.get('x-operation-id') ?? undefined) };
};

export const makeRecords = async (tableId: string, body: BodyOf<typeof createRecords>, headers: Record<string, string> = {}): Promise<Made> => {
  const { noted, onHeaders } = noting();
  const { records } = await call(createRecords, { params: { tableId }, body, headers, onHeaders });
  return { records, operationId: noted.operationId };
};

export const copyRecord = async (tableId: string, viewId: string, recordId: string): Promise<Made> => {
  const { noted, onHeaders } = noting();
  const { records } = await call(duplicateRecord, { params: { tableId, recordId }, body: { viewId, anchorId: recordId, position: 'after' }, onHeaders });
  return { records, operationId: noted.operationId };
};

/** Which records are meant: by name, or all that a view shows but some. By its filter as it was on the screen: somebody may have changed it since. */
export type Meant = { recordIds: readonly string[] } | { viewId: string; filter: View['filter'] | undefined; excludeRecordIds: readonly string[] };

/** All of them in one request, however many. */
export const removeRecords = async (tableId: string, meant: Meant): Promise<{ count: number; operationId: string | undefined }> => {
  const { noted, onHeaders } = noting();
  const body = 'viewId' in meant ? { viewId: meant.viewId, ignoreViewQuery: true, ...(meant.filter == null ? {} : { filter: JSON.stringify(meant.filter) }), selection: { excludeRecordIds: [...meant.excludeRecordIds] } } : { selection: { recordIds: [...meant.recordIds] } };
  const { ids } = await call(deleteSelection, { params: { tableId }, body, onHeaders });
  return { count: ids.length, operationId: noted.operationId };
};
