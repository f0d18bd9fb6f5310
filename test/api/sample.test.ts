// The sample base: five linked tables that use everything.
import { readFileSync } from 'node:fs';
import { listFields } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { expect, test } from 'vitest';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { rowhouse } from '../support/command.ts';
import { openWorkshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** How many a record has at most, seen from each end: this table, then the other. */
const ends: Record<string, string> = { manyOne: '}o--o|', oneMany: '|o--o{', oneOne: '|o--o|', manyMany: '}o--o{' };

test('rowhouse sample makes a base whose cells are all right, and which is the one in the picture of the guide', async () => {
  const { owner, spaceId } = await openWorkshop(world());
  const made = await rowhouse(
    world().databaseUrl,
    'sample',
    '--records',
    '60',
    '--url',
    world().origin,
    '--token',
    owner.token,
    '--space',
    spaceId,
  );
  expect([made.code, made.err]).toEqual([0, '']);
  const baseId = /made the base (bse\w+)/.exec(made.out)?.[1] as string;
  const { body: tables } = await owner.call(listTables, { params: { baseId } });
  expect(tables.map(({ name }) => name)).toEqual(['Clients', 'People', 'Projects', 'Tasks', 'Invoices']);
  const { body } = await owner.call(listRecords, { params: { tableId: tables[2]?.id as string }, query: {} });
  expect(body.records[0]?.fields).toMatchObject({
    'All tasks': expect.any(Number),
    Left: expect.any(Number),
    Progress: expect.stringContaining('%'),
    Country: expect.any(String),
  });
  expect(await findWrongCells(world().db, baseId)).toEqual([]);

  const perTable = await Promise.all(
    tables.map(async ({ id, name }) => ({
      name,
      fields: (await owner.call(listFields, { params: { tableId: id } })).body,
    })),
  );
  const nameOf = (tableId: unknown) => tables.find(({ id }) => id === tableId)?.name;
  const fieldName = (fieldId: unknown) =>
    perTable.flatMap(({ fields }) => fields).find(({ id }) => id === fieldId)?.name;
  // Each link as it is seen from both sides; the picture has one of them.
  const lines = perTable.flatMap(({ name, fields }) =>
    fields
      .filter(({ type, isLookup }) => type === 'link' && isLookup !== true)
      .map(
        (field) =>
          `${name} ${ends[String(field.options.relationship)]} ${nameOf(field.options.foreignTableId)} : "${field.name}, ${fieldName(field.options.symmetricFieldId)}"`,
      ),
  );
  const guide = readFileSync(new URL('../../docs/guide/links.md', import.meta.url), 'utf8');
  const drawn = (/```mermaid\nerDiagram\n([^`]+)```/.exec(guide)?.[1] ?? '')
    .trim()
    .split('\n')
    .map((line) => line.trim());
  expect(drawn.filter((line) => !lines.includes(line))).toEqual([]);
  expect([drawn.length * 2, new Set(drawn).size]).toEqual([lines.length, drawn.length]);
});
