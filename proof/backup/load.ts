// Writers that go on while a backup is made: records in batches, and changes of fields and tables.
import { ask, hear, type Voice } from '../instance/ask.ts';
import type { Random } from '../random.ts';

export const batchSize = 5;

export interface Ledger {
  /** Marks of batches that were acknowledged, and not deleted since. */
  acknowledged: Set<string>;
  /** Changes of fields and tables that were acknowledged. */
  changes: number;
  refused: string[];
}

interface Target {
  voice: Voice;
  baseId: string;
  tableId: string;
}

const note = (ledger: Ledger, { status, body }: { status: number; body: unknown }): boolean => {
  // Two who change one table at once: one is told to try again.
  if (status >= 400 && status !== 409) ledger.refused.push(`${status} ${JSON.stringify(body).slice(0, 300)}`);
  return status < 400;
};

/** A batch is created whole or not at all, changed whole, and some are deleted whole. */
export const writeRecords = async (
  { voice, tableId }: Target,
  ledger: Ledger,
  random: Random,
  name: string,
  isOver: () => boolean,
): Promise<void> => {
  const mine: { mark: string; ids: string[] }[] = [];
  for (let count = 0; !isOver(); count += 1) {
    const mark = `${name}-${count}`;
    const made = await hear(voice, 'POST', `/table/${tableId}/record`, {
      records: Array.from({ length: batchSize }, () => ({ fields: { Mark: mark, Value: 0 } })),
    });
    if (note(ledger, made)) {
      ledger.acknowledged.add(mark);
      mine.push({ mark, ids: (made.body.records as { id: string }[]).map(({ id }) => id) });
    }
    const some = random.pick(mine);
    note(
      ledger,
      await hear(voice, 'PATCH', `/table/${tableId}/record`, {
        records: some.ids.map((id) => ({ id, fields: { Value: count + 1 } })),
      }),
    );
    if (!random.once(4) || mine.length < 5) continue;
    const [gone] = mine.splice(random.below(mine.length), 1);
    if (gone === undefined) continue;
    ledger.acknowledged.delete(gone.mark);
    note(
      ledger,
      await hear(voice, 'DELETE', `/table/${tableId}/record?${gone.ids.map((id) => `recordIds[]=${id}`).join('&')}`),
    );
  }
};

/** The table that records are written to is rewritten, others come and go. */
export const changeTables = async (
  { voice, baseId, tableId }: Target,
  ledger: Ledger,
  random: Random,
  isOver: () => boolean,
): Promise<void> => {
  for (let count = 0; !isOver(); count += 1) {
    const field = await hear(voice, 'POST', `/table/${tableId}/field`, {
      name: `Extra ${count}`,
      type: 'singleLineText',
    });
    if (note(ledger, field)) {
      ledger.changes += 1;
      if (
        note(
          ledger,
          await hear(voice, 'PUT', `/table/${tableId}/field/${field.body.id}/convert`, {
            type: random.pick(['number', 'checkbox', 'longText', 'date']),
          }),
        )
      )
        ledger.changes += 1;
      if (note(ledger, await hear(voice, 'DELETE', `/table/${tableId}/field/${field.body.id}`))) ledger.changes += 1;
    }
    const table = await hear(voice, 'POST', `/base/${baseId}/table`, { name: `Comes and goes ${count}` });
    if (!note(ledger, table)) continue;
    ledger.changes += 1;
    if (random.once(2) && note(ledger, await hear(voice, 'DELETE', `/base/${baseId}/table/${table.body.id}/permanent`)))
      ledger.changes += 1;
  }
};

export const layTarget = async (voice: Voice, spaceId: string): Promise<Target> => {
  const baseId = (await ask(voice, 'POST', '/base', { spaceId, name: 'Under load' })).id as string;
  const table = await ask(voice, 'POST', `/base/${baseId}/table`, {
    name: 'Batches',
    fields: [
      { name: 'Mark', type: 'singleLineText' },
      { name: 'Value', type: 'number' },
    ],
    records: [],
  });
  return { voice, baseId, tableId: table.id as string };
};

/** Rows that make the backup take its time. */
export const addBulk = async ({ voice, baseId }: Target, rows: number): Promise<void> => {
  const fields = [
    { name: 'Text', type: 'singleLineText' },
    { name: 'Long', type: 'longText' },
    { name: 'Number', type: 'number' },
    { name: 'Date', type: 'date' },
  ];
  const table = await ask(voice, 'POST', `/base/${baseId}/table`, { name: 'Bulk', fields, records: [] });
  const slice = 10_000;
  for (let from = 0; from < rows; from += slice) {
    const records = Array.from({ length: Math.min(slice, rows - from) }, (_, at) => ({
      fields: {
        Text: `row ${from + at} ${Math.imul(from + at, 2_654_435_761) >>> 0}`,
        Long: `${'lorem ipsum '.repeat(10)}${Math.imul(from + at, 40_503)}`,
        Number: (from + at) / 7,
        Date: new Date(1_700_000_000_000 + (from + at) * 60_000).toISOString(),
      },
    }));
    await ask(voice, 'POST', `/table/${table.id}/record`, { records });
  }
};
