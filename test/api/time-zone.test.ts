// Wall clocks and instants: one engine, which agrees with the one that PostgreSQL has.
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { instantOf, isTimeZone, wallOf, zoneName } from '@rowhouse/contract/zone.ts';
import { getAggregation } from '@rowhouse/contract/aggregation.ts';
import { convertField, createField, listFields } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { sql } from '../../server/db/sql.ts';
import { cases, howMany } from '../support/cases.ts';
import { instantsIn, wallsIn, zonesOfPostgres } from '../support/zone.sql.ts';
import { ground, type Ground, tableWith } from '../support/table.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let zones: string[];
let on: Ground;
beforeAll(async () => {
  zones = (await zonesOfPostgres(world().db)).filter(isTimeZone);
  on = await ground(world());
});

const day = 86_400_000;
const first = Date.parse('0001-01-02T00:00:00Z');
const last = Date.parse('9999-12-30T00:00:00Z');
const known = Date.parse('2025-01-01T00:00:00Z');
// Each side has its own copy of the time zone database, and every release corrects the past of a few zones.
const fewZones = 6;

const shown = (instant: number): string => new Date(instant).toISOString();

/** When the clocks of the zone are changed, to the second. */
const transitionsOf = (zone: string, from: number, to: number): number[] => {
  const found: number[] = [];
  const offsetAt = (instant: number): number => wallOf(instant, zone) - instant;
  for (let start = from; start < to; start += 20 * day) {
    let [low, high] = [start, start + 20 * day];
    const offset = offsetAt(low);
    if (offsetAt(high) === offset) continue;
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    found.push(high);
  }
  return found;
};

describe('the time zone engine', () => {
  test('knows at least the 400 zones that have people in them', () => {
    expect(zones.length).toBeGreaterThan(400);
  });

  // Another PostgreSQL may have the zones of its system, which can be put together differently for the time before 1970.
  test.skipIf(!inject('isEmbedded'))(
    'shows the clocks of every zone as PostgreSQL does, from the year 1 on',
    async () => {
      const different: string[] = [];
      for (const zone of zones) {
        const instants = fc.sample(
          fc.oneof(fc.integer({ min: first, max: known }), fc.integer({ min: Date.UTC(1880, 0), max: known })),
          { numRuns: 60, seed: zone.length },
        );
        const walls = await wallsIn(world().db, zone, instants);
        different.push(
          ...instants.flatMap((instant, at) =>
            wallOf(instant, zone) === walls[at] ? [] : [`${zone} ${shown(instant)}: ${shown(walls[at] as number)}`],
          ),
        );
      }
      expect(new Set(different.map((text) => text.split(' ')[0])).size, different.join('\n')).toBeLessThan(fewZones);
    },
  );

  test.skipIf(!inject('isEmbedded'))(
    'finds the instant of every wall time as PostgreSQL does; of two the first',
    async () => {
      const different = new Set<string>();
      let repeated = 0;
      const distinct = new Set(
        cases(
          zones,
          zones.filter((_, at) => at % 8 === 0),
        )
          .map((zone) => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone)
          .filter(isTimeZone),
      );
      for (const zone of distinct) {
        const transitions = transitionsOf(zone, Date.UTC(2000, 0), known);
        const around = transitions.flatMap((at) => {
          const [before, after] = [wallOf(at - 1_000, zone) + 1_000, wallOf(at, zone)];
          return [before, after, Math.floor((before + after) / 2), before - 1_000, after + 1_000];
        });
        const walls = [
          ...around,
          ...fc.sample(fc.integer({ min: first, max: known - 2 * day }), { numRuns: 30, seed: zone.length }),
        ];
        const ours = walls.map((wall) => instantOf(wall, zone));
        const theirs = await instantsIn(world().db, zone, walls);
        const shownThere = await wallsIn(world().db, zone, ours);
        walls.forEach((wall, at) => {
          const [found, other] = [ours[at] as number, theirs[at] as number];
          if (found === other) return;
          // Repeated by the clocks: both are right, and ours is the earlier.
          const isRepeated = found < other && wallOf(other, zone) === wall && shownThere[at] === wall;
          if (isRepeated) repeated += 1;
          else different.add(`${zone} ${shown(wall)}: ${shown(found)} ${shown(other)}`);
        });
      }
      expect(repeated).toBeGreaterThan(howMany(1_000, 100));
      expect(new Set([...different].map((text) => text.split(' ')[0])).size, [...different].join('\n')).toBeLessThan(
        fewZones,
      );
    },
    240_000,
  );

  test('goes there and back for every year up to 9999', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: first, max: last }), (zone, instant) => {
        const wall = wallOf(instant, zone);
        expect(shown(wallOf(instantOf(wall, zone), zone))).toBe(shown(wall));
      }),
      { numRuns: 2_000 },
    );
  });

  test('takes no abbreviation for a zone: they mean different things in different places', () => {
    expect(
      ['IST', 'CST', 'PST', 'AST', 'ACT', 'AET', 'BST', '+02:00', 'Etc/Unknown', '', 'Mars/Phobos'].filter(isTimeZone),
    ).toEqual([]);
    expect(
      [
        'UTC',
        'GMT',
        'CET',
        'EST',
        'Europe/Berlin',
        'europe/berlin',
        'Asia/Kolkata',
        'Etc/GMT+5',
        'Japan',
        'PRC',
      ].filter((name) => !isTimeZone(name)),
    ).toEqual([]);
    expect(zoneName('cet')).toBe('Europe/Brussels');
  });
});

describe('a date that is typed', () => {
  const typed = async (
    timeZone: string,
    texts: string[],
    time = 'HH:mm',
  ): Promise<{ cells: unknown[]; texts: unknown[] }> => {
    const table = await tableWith(on, [
      { name: 'Text', type: 'singleLineText' },
      { name: 'Date', type: 'date', options: { formatting: { date: 'YYYY-MM-DD', time, timeZone } } },
    ]);
    const params = { tableId: table.tableId };
    const made = await on.call(createRecords, {
      params,
      body: { typecast: true, records: texts.map((text) => ({ fields: { Date: text } })) },
    });
    expect(made.status).toBe(201);
    const listed = await on.call(listRecords, { params, query: { cellFormat: 'text' } });
    return {
      cells: made.body.records.map(({ fields }) => fields.Date ?? null),
      texts: listed.body.records.map(({ fields }) => fields.Date ?? null),
    };
  };

  test.each([
    ['America/Santiago', '2024-09-08', '2024-09-08T04:00:00.000Z'],
    ['America/Havana', '2024-03-10', '2024-03-10T05:00:00.000Z'],
    ['Atlantic/Azores', '2024-03-31', '2024-03-31T01:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['Asia/Beirut', '2024-03-31', '2024-03-30T22:00:00.000Z'],
    ['America/Asuncion', '2023-10-01', '2023-10-01T04:00:00.000Z'],
  ])('in %s, whose clock skips midnight of %s, stays on its day', async (timeZone, text, instant) => {
    expect(await typed(timeZone, [text], 'None')).toEqual({ cells: [instant], texts: [text] });
  });

  test.each([
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z'],
    ['Atlantic/Azores', '2024-10-27', '2024-10-27T00:00:00.000Z'],
  ])('in %s, whose clock repeats midnight of %s, is the first of the two', async (timeZone, text, instant) => {
    expect(await typed(timeZone, [text], 'None')).toEqual({ cells: [instant], texts: [text] });
  });

  test('may be of any year from 1 to 9999', async () => {
    const texts = [
      '0001-06-01 12:00',
      '0050-01-01 00:00',
      '0099-12-31 23:59',
      '0100-01-01 00:00',
      '1582-10-10 10:10',
      '9999-06-30 23:59',
    ];
    for (const timeZone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'CET'])
      expect((await typed(timeZone, texts)).texts).toEqual(texts);
    expect((await typed('UTC', ['0000-06-01', '10000-01-01'])).cells).toEqual([null, null]);
  });
});

describe('a time zone that JavaScript knows and PostgreSQL does not', () => {
  const lost = 'US/Pacific-New';
  const zoned = (timeZone: string) => ({ formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone } });

  test('is refused when it is written, and nothing changes', async () => {
    expect([isTimeZone(lost), zones.includes(lost)]).toEqual([true, false]);
    const table = await tableWith(on, [{ name: 'Date', type: 'date', options: zoned('Europe/Berlin') }]);
    const params = { tableId: table.tableId };
    const field = { name: 'Other', type: 'createdTime', options: zoned(lost) } as const;
    const answers = [
      await on.call(createField, { params, body: field as never }),
      await on.call(convertField, {
        params: { ...params, fieldId: table.fieldIds.Date as string },
        body: { type: 'date', options: zoned(lost) } as never,
      }),
      await on.call(createTable, {
        params: { baseId: on.baseId },
        body: { fields: [{ name: 'Name', type: 'singleLineText' }, field] } as never,
      }),
    ];
    expect(answers.map(({ status, error }) => [status, error.data.issues[0].path])).toEqual([
      [400, 'options.formatting.timeZone'],
      [400, 'options.formatting.timeZone'],
      [400, 'fields[1].options.formatting.timeZone'],
    ]);
    expect((await on.call(listFields, { params })).body).toMatchObject([
      { name: 'Date', options: zoned('Europe/Berlin') },
    ]);
  });

  test('that is stored is taken for UTC: everything can be read', async () => {
    const table = await tableWith(on, [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Date', type: 'date', options: zoned('UTC') },
    ]);
    const params = { tableId: table.tableId };
    const fieldId = table.fieldIds.Date as string;
    await on.call(createRecords, {
      params,
      body: { records: [{ fields: { Name: 'a', Date: '2024-05-06T12:30:00.000Z' } }] },
    });
    await world().db.query(
      sql`update rowhouse.fields set options = jsonb_set(options, '{formatting,timeZone}', '"US/Pacific-New"') where id = ${fieldId}`,
    );
    await world().db.query(
      sql`update ${sql.id(on.baseId, '__table')} set version = version + 1 where id = ${table.tableId}`,
    );
    const reads = [
      await on.call(listRecords, {
        params,
        query: {
          cellFormat: 'text',
          search: ['12:30', 'Date'] as never,
          groupBy: JSON.stringify([{ fieldId, order: 'asc' }]),
        },
      }),
      await on.call(getAggregation, { params, query: { 'field[dateRangeOfDays]': [fieldId] } as never }),
      await on.call(listFields, { params }),
      await on.call(convertField, { params: { ...params, fieldId }, body: { type: 'singleLineText' } as never }),
    ];
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((reads[0]?.body as { records: { fields: object }[] }).records[0]?.fields).toEqual({
      Name: 'a',
      Date: '2024-05-06 12:30',
    });
  });
});

test('a time is written as JavaScript writes it, to the millisecond', async () => {
  const instant = fc.integer({ min: first, max: last });
  const ends = [first, last, 0, -1, 999, 1_000, known];
  const times = [
    ...ends,
    ...fc.sample(instant, 1_000),
    ...fc.sample(instant, 100).map((time) => Math.floor(time / 1_000) * 1_000),
  ];
  // Microseconds are cut off, as everywhere.
  const [answer] = await world().db.query<{ written: string }>(
    sql`select json_agg(rowhouse.json_time(time + interval '999 microseconds')::json) as written from unnest(${times.map(shown)}::timestamptz[]) time`,
  );
  expect(answer?.written).toEqual(times.map(shown));
});
