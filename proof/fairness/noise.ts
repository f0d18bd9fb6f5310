// What one tenant can do to keep a server busy: a file of a million rows, receivers that never answer, automations that start each other.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { deleteBase } from '@rowhouse/contract/base.ts';
import { analyzeImport, importTables } from '@rowhouse/contract/import.ts';
import { getRowCount } from '@rowhouse/contract/aggregation.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createWebhook } from '@rowhouse/contract/webhook.ts';
import { startDeadEnd } from '../../test/support/receiver.ts';
import type { Line } from '../client.ts';
import { good } from '../stage.ts';
import { newAutomation, newQuarters } from './tenant.ts';

export interface Noise {
  name: string;
  /** Begins; what is answered ends it, with its base in the trash, and tells what has come of it. */
  begin: () => Promise<() => Promise<string>>;
}

const intoTrash = async (line: Line, baseId: string): Promise<void> => {
  good(await line.call(deleteBase, { params: { baseId } }));
};

const rowsOf = (count: number): string =>
  `Name,Number,Day\n${Array.from({ length: count }, (_, row) => `row ${row},${row},2024-01-${10 + (row % 20)}`).join('\n')}\n`;

export const importOf = (line: Line, rows: number): Noise => ({
  name: `an import of ${rows.toLocaleString('en')} rows`,
  async begin() {
    const { baseId } = await newQuarters(line, 'Imports');
    const text = rowsOf(rows);
    const { url, token } = good(
      await line.call(createFileSignature, {
        body: { contentType: 'text/csv', contentLength: Buffer.byteLength(text), type: 5 },
      }),
    ).body;
    const sent = await fetch(url, { method: 'PUT', body: text, headers: { 'content-type': 'text/csv' } });
    if (!sent.ok) throw new Error(`the upload answered ${sent.status}`);
    const { presignedUrl } = good(
      await line.call(notifyFile, { params: { token }, query: { filename: 'rows.csv' } }),
    ).body;
    const file = { attachmentUrl: presignedUrl, fileType: 'csv' as const };
    const { worksheets } = good(await line.call(analyzeImport, { query: file })).body;
    const sheets = Object.entries(worksheets).map(([key, { name, columns }]) => {
      const numbered = columns.map((column, sourceColumnIndex) => ({ ...column, sourceColumnIndex }));
      return [key, { name, columns: numbered, useFirstRowAsHeader: true, importData: true }] as const;
    });
    const body = { ...file, tz: 'UTC', worksheets: Object.fromEntries(sheets) };
    const tableId = good(await line.call(importTables, { params: { baseId }, body })).body[0]?.id as string;
    return async () => {
      const { rowCount } = good(await line.call(getRowCount, { params: { tableId } })).body;
      await intoTrash(line, baseId);
      return `${rowCount.toLocaleString('en')} rows had come`;
    };
  },
});

/** In portions, as the API takes them. */
const write = async (line: Line, tableId: string, count: number): Promise<void> => {
  for (let done = 0; done < count; done += 500) {
    const records = Array.from({ length: Math.min(500, count - done) }, (_, at) => ({
      fields: { Name: `noise ${done + at}` },
    }));
    good(await line.call(createRecords, { params: { tableId }, body: { records } }));
  }
};

export const deadReceivers = (line: Line, webhooks: number, events: number): Noise => ({
  name: `${webhooks} webhooks to receivers that never answer`,
  async begin() {
    const deadEnd = await startDeadEnd();
    const { baseId, table } = await newQuarters(line, 'Dead ends');
    for (let at = 0; at < webhooks; at += 1) {
      const body = { name: `Dead end ${at}`, url: deadEnd.url, events: ['record.created' as const] };
      good(await line.call(createWebhook, { params: { baseId }, body }));
    }
    await write(line, table, events);
    return async () => {
      const seen = `${deadEnd.connections()} requests hung, ${deadEnd.mostAtOnce()} at once`;
      await intoTrash(line, baseId);
      await deadEnd.stop();
      return seen;
    };
  },
});

/** Each record of one table makes one in the other, until the loop is ended by its depth. */
export const runawayAutomations = (line: Line, records: number): Noise => ({
  name: 'automations that start each other',
  async begin() {
    const { baseId, table, log } = await newQuarters(line, 'Runaway');
    await newAutomation(line, baseId, table, log, '{trigger.recordName}');
    await newAutomation(line, baseId, log, table, '{trigger.recordName}');
    await write(line, table, records);
    return async () => {
      const counts = [];
      for (const tableId of [table, log])
        counts.push(good(await line.call(getRowCount, { params: { tableId } })).body.rowCount);
      await intoTrash(line, baseId);
      return `${counts.join(' and ')} records of ${records} that started them`;
    };
  },
});
