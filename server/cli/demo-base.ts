// The sample base with what else there is to see of a table: a board, a form, and records that have a history.
import type { Client } from '@rowhouse/contract/client.ts';
import { updateRecord } from '@rowhouse/contract/record.ts';
import { createView } from '@rowhouse/contract/view.ts';
import { makeSample } from './sample-base.ts';

/** What happens to the first projects, one change after the other. */
const changes: readonly Record<string, unknown>[] = [
  { Status: 'Planned', Budget: 12_000 },
  { Status: 'In progress' },
  { Budget: 14_500 },
];

export const makeDemo = async (
  call: Client,
  spaceId: string,
  records: number,
  say: (line: string) => void,
): Promise<{ baseId: string }> => {
  const { baseId, tableIds, recordIds, fields } = await makeSample(call, spaceId, records, say);
  await call(createView, {
    params: { tableId: tableIds.Projects },
    body: {
      type: 'kanban',
      name: 'Board',
      options: { stackFieldId: (fields.Projects['Status'] as { id: string }).id },
    },
  });
  await call(createView, {
    params: { tableId: tableIds.Tasks },
    body: { type: 'form', name: 'New task', options: { title: 'What is to be done?', submitLabel: 'Add the task' } },
  });
  for (const recordId of recordIds.Projects.slice(0, 3))
    for (const change of changes)
      await call(updateRecord, {
        params: { tableId: tableIds.Projects, recordId },
        body: { fieldKeyType: 'name', record: { fields: change } },
      });
  say('a board, a form, and projects with a history');
  return { baseId };
};
