// A member whom rules bind writes what they may and what they may not, while the server and PostgreSQL are killed. Afterwards nothing is there that the rules forbid, nothing that was acknowledged
// is lost, and what was written together is there together.
import {
  createAuthorityRole,
  setAuthorityMatrixStatus,
  setAuthorityRoleMembers,
} from '@rowhouse/contract/authority-matrix.ts';
import { createRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { everyAction, when } from '../../test/support/matrix.ts';
import { openLine, type Reply } from '../client.ts';
import { type Failures, noFailures } from '../failures.ts';
import { fall, sum } from '../kill/fall.ts';
import { type Ground, layGround } from '../kill/ground.ts';
import type { Setting } from '../part.ts';
import type { Random } from '../random.ts';
import { good } from '../stage.ts';

const writers = 6;
const pairsOfEach = 4;
const limit = 1_000_000;

interface Cells {
  Name?: string;
  State?: string;
  Count?: number;
  Secret?: string;
}

interface Estate {
  tableId: string;
  /** Pairs of records that the member may change, by writer. */
  pairs: readonly (readonly [string, string])[][];
  shut: readonly string[];
  secrets: ReadonlyMap<string, string>;
}

/** What is known of what was written. */
interface Book {
  acknowledged: number;
  forbidden: number;
  /** Of a pair: the last count that was acknowledged, and those that nobody knows about since. */
  counts: Map<string, { last: number; unsure: Set<number> }>;
  created: Set<string>;
}

const prepare = async ({ origin, token, baseId, named }: Ground): Promise<Estate> => {
  const line = openLine(origin, token);
  const { call } = line;
  const names = ['Name', 'State', 'Secret'].map((name) => ({ name, type: 'singleLineText' as const }));
  const table = good(
    await call(createTable, {
      params: { baseId },
      body: { name: 'Ruled', fields: [...names, { name: 'Count', type: 'number' as const }], records: [] },
    }),
  ).body;
  const at = (name: string): string => table.fields.find((field) => field.name === name)?.id as string;
  const params = { tableId: table.id };
  const make = async (count: number, State: string): Promise<string[]> => {
    const records = Array.from({ length: count }, (_, index) => ({
      fields: { Name: `${State} ${index}`, State, Count: 0, Secret: `secret of ${State} ${index}` },
    }));
    return good(await call(createRecords, { params, body: { records } })).body.records.map(({ id }) => id);
  };
  const open = await make(writers * pairsOfEach * 2, 'open');
  const shut = await make(10, 'shut');
  const isOpen = when(at('State'), 'is', 'open');
  const after = {
    conjunction: 'and',
    filterSet: [...isOpen.filterSet, { fieldId: at('Count'), operator: 'isLess', value: limit }],
  };
  const fields = ['Name', 'State', 'Count'].map(at);
  const grants = [{ actions: [...everyAction], fields, when: isOpen, after }];
  const tables = [{ tableId: table.id, enabled: true, grants }];
  const role = good(
    await call(createAuthorityRole, { params: { baseId }, body: { name: 'Writers', tables } as never }),
  ).body;
  const path = { baseId, authorityMatrixRoleId: role.id };
  good(await call(setAuthorityRoleMembers, { params: path, body: { userIds: [named.userId], departmentIds: [] } }));
  good(await call(setAuthorityMatrixStatus, { params: { baseId }, body: { enabled: true } }));
  line.hangUp();
  const pairs = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: pairsOfEach }, (_pair, pair) => {
      const first = 2 * (writer * pairsOfEach + pair);
      return [open[first], open[first + 1]] as [string, string];
    }),
  );
  const secrets = new Map([
    ...open.map((id, index) => [id, `secret of open ${index}`] as const),
    ...shut.map((id, index) => [id, `secret of shut ${index}`] as const),
  ]);
  return { tableId: table.id, pairs, shut, secrets };
};

interface Load {
  ground: Ground;
  estate: Estate;
  book: Book;
  failures: Failures;
  draw: Random;
  writer: number;
  /** Makes counts and names that nobody else makes. */
  next: () => number;
  isOver: () => boolean;
}

/** Undefined when nobody knows whether it was done. */
const sent = async <T>(reply: Promise<Reply<T>>): Promise<Reply<T> | undefined> => {
  const answer = await reply.catch(() => undefined);
  return answer === undefined || answer.status === 503 ? undefined : answer;
};

const write = async ({ ground, estate, book, failures, draw, writer, next, isOver }: Load): Promise<number> => {
  const line = openLine(ground.origin, ground.named.token);
  const params = { tableId: estate.tableId };
  const update = (records: { id: string; fields: Cells }[]) =>
    sent(line.call(updateRecords, { params, body: { records: records as never } }));
  let done = 0;
  /** Whatever stands beside it in the request. */
  const forbidden = async (what: string, reply: Promise<Reply<unknown> | undefined>): Promise<void> => {
    const answer = await reply;
    if (answer === undefined) return;
    book.forbidden += 1;
    failures.demand([400, 403, 404].includes(answer.status), () => `${what} answered ${answer.status}`);
  };
  while (!isOver()) {
    const [one, two] = draw.pick(estate.pairs[writer] as [string, string][]);
    const count = next();
    const both = (fields: Cells): { id: string; fields: Cells }[] => [one, two].map((id) => ({ id, fields }));
    const besides = { id: one, fields: { Count: limit + count } };
    switch (draw.below(7)) {
      case 0:
        await forbidden(
          'a cell without a grant',
          update([{ id: one, fields: { Secret: 'written', Count: limit + count } }]),
        );
        break;
      case 1:
        await forbidden(
          'a record out of sight',
          update([besides, { id: draw.pick([...estate.shut]), fields: { Count: count } }]),
        );
        break;
      case 2:
        await forbidden(
          'a record that would not meet the condition',
          update([{ id: two, fields: { Count: count } }, besides]),
        );
        break;
      case 3:
        await forbidden(
          'a record that would leave',
          update([{ id: one, fields: { State: 'shut', Count: limit + count } }]),
        );
        break;
      case 4: {
        const Name = `new ${count}`;
        const records = [{ fields: { Name, State: 'open', Count: 1 } }];
        const headers = { 'idempotency-key': Name };
        const made = await sent(line.call(createRecords, { params, body: { records: records as never }, headers }));
        if (made === undefined) break;
        failures.demand(made.status === 201, () => `a create answered ${made.status}: ${JSON.stringify(made.error)}`);
        book.created.add(Name);
        done += 1;
        break;
      }
      case 5: {
        const records = [{ fields: { Name: `bad ${count}`, State: 'shut', Count: 1 } }];
        await forbidden(
          'a new record out of sight',
          sent(line.call(createRecords, { params, body: { records: records as never } })),
        );
        break;
      }
      default: {
        const known = book.counts.get(one) ?? { last: 0, unsure: new Set<number>() };
        book.counts.set(one, known);
        known.unsure.add(count);
        const answer = await update(both({ Count: count }));
        if (answer === undefined) break;
        failures.demand(
          answer.status === 200,
          () => `a change answered ${answer.status}: ${JSON.stringify(answer.error)}`,
        );
        known.last = count;
        known.unsure.clear();
        done += 1;
      }
    }
  }
  line.hangUp();
  return done;
};

const check = async ({ origin, token }: Ground, estate: Estate, book: Book, failures: Failures): Promise<void> => {
  const line = openLine(origin, token);
  const records: { id: string; fields: Cells }[] = [];
  for (let skip = 0; ; skip += 1_000) {
    const page = good(
      await line.call(listRecords, { params: { tableId: estate.tableId }, query: { take: 1_000, skip } as never }),
    ).body.records as { id: string; fields: Cells }[];
    records.push(...page);
    if (page.length < 1_000) break;
  }
  line.hangUp();
  const byId = new Map(records.map(({ id, fields }) => [id, fields]));
  const shut = new Set(estate.shut);
  failures.none(
    'cells without a grant that were written',
    records.filter(({ id, fields }) => (fields.Secret ?? '') !== (estate.secrets.get(id) ?? '')),
  );
  failures.none(
    'records out of sight that were written, or made',
    records.filter(
      ({ id, fields }) => shut.has(id) !== (fields.State === 'shut') || (shut.has(id) && fields.Count !== 0),
    ),
  );
  failures.none(
    'records that do not meet the condition afterwards',
    records.filter(({ fields }) => !((fields.Count ?? 0) < limit)),
  );
  for (const [one, two] of estate.pairs.flat()) {
    const [first, second] = [byId.get(one)?.Count, byId.get(two)?.Count];
    const { last, unsure } = book.counts.get(one) ?? { last: 0, unsure: new Set<number>() };
    failures.demand(first === second, () => `of what was written together one is ${first} and the other ${second}`);
    failures.demand(
      first === last || unsure.has(first as number),
      () => `${one} is ${first}; ${last} was acknowledged, and nobody knows of ${[...unsure].join(', ')}`,
    );
    book.counts.set(one, { last: first as number, unsure: new Set() });
  }
  const names = records.map(({ fields }) => fields.Name ?? '');
  const there = new Set(names);
  failures.none(
    'acknowledged records that are not there',
    [...book.created].filter((name) => !there.has(name)),
  );
  failures.demand(there.size === names.length, () => 'records that were made twice');
};

interface Killed {
  kills: number;
  acknowledged: number;
  forbidden: number;
  failures: string[];
}

/** Its own server and PostgreSQL; `endPrograms` ends them. */
export const writeWhileKilled = async (
  { scale, say }: Pick<Setting, 'scale' | 'say'>,
  { draw, kills }: { draw: Random; kills: number },
): Promise<Killed> => {
  const { ground, server } = await layGround();
  const failures = noFailures();
  const estate = await prepare(ground);
  const book: Book = { acknowledged: 0, forbidden: 0, counts: new Map(), created: new Set() };
  let running = server;
  let last = 0;
  for (let count = 0; count < kills && failures.list.length === 0; count += 1) {
    let isOver = false;
    const loads = Array.from({ length: writers }, (_, writer) =>
      write({
        ground,
        estate,
        book,
        failures,
        draw: draw.fork(count * writers + writer),
        writer,
        next: () => (last += 1),
        isOver: () => isOver,
      }),
    );
    // Something is to be on its way when it falls.
    const enough = book.forbidden + 20;
    while (book.forbidden < enough) await new Promise((done) => setTimeout(done, 20));
    running = await fall(ground, running, {
      count,
      scale,
      draw,
      hurry: async () => undefined,
      cutOff: async () => {
        isOver = true;
        book.acknowledged += sum(await Promise.all(loads));
      },
    });
    await check(ground, estate, book, failures);
    if (count % 10 === 9) say(`${count + 1} kills under rules, ${book.acknowledged} writes acknowledged`);
  }
  failures.demand(
    book.acknowledged > 0 && book.forbidden > 0,
    () => 'nothing was written under rules: it proves nothing',
  );
  return { kills, acknowledged: book.acknowledged, forbidden: book.forbidden, failures: failures.list };
};
