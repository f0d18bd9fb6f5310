// Bad input: for every operation of the OpenAPI document requests that are good but for one thing, and requests that are
// nothing but noise. No fault of the server, no hang, no growth, and every error in the documented form.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ground, openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { type Random, randomFrom } from '../random.ts';
import { openWire, type Reply, type Wire } from '../wire.ts';
import {
  bytesOf,
  type Draft,
  nonsense,
  pathOf,
  queryOf,
  withBrokenBody,
  withStrangeHeaders,
  withStrangePath,
} from './encode.ts';
import { mutated } from './mutate.ts';
import { type ApiOperation, openSoil, readDocument, type Soil } from './operations.ts';
import { anyValue, jsonText } from './values.ts';
import { faultOf, inTime, slowest } from './verdict.ts';

const kinds = [
  'good',
  'one change',
  'several changes',
  'noise',
  'broken body',
  'strange headers',
  'strange path',
  'nonsense',
] as const;
type Kind = (typeof kinds)[number];

const kindOf = (random: Random): Kind => {
  const draw = random.below(100);
  if (draw < 8) return 'good';
  if (draw < 60) return 'one change';
  if (draw < 70) return 'several changes';
  if (draw < 78) return 'noise';
  if (draw < 86) return 'broken body';
  if (draw < 92) return 'strange headers';
  return draw < 98 ? 'strange path' : 'nonsense';
};

interface Shot {
  kind: Kind;
  bytes: Buffer;
  isHead: boolean;
  isDeclared: boolean;
}

interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

const changes = (kind: Kind, random: Random): number =>
  kind === 'one change' ? 1 : kind === 'several changes' ? 2 + random.below(5) : 0;

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : { value };

const change = (parts: Parts, ids: readonly string[], random: Random): Parts => {
  const draw = random.below(10);
  if (parts.body !== undefined && draw < 8) return { ...parts, body: mutated(parts.body, ids, random) };
  if (Object.keys(parts.query).length > 0 && draw < 9)
    return { ...parts, query: asRecord(mutated(parts.query, ids, random)) };
  if (Object.keys(parts.params).length > 0) return { ...parts, params: asRecord(mutated(parts.params, ids, random)) };
  return { ...parts, body: anyValue(random) };
};

const aim = async (soil: Soil, { method, endpoint }: ApiOperation, random: Random): Promise<Shot> => {
  const kind = kindOf(random);
  const given = random.pick(await soil.requests(endpoint));
  const params = given.params ?? {};
  let parts: Parts = { params, query: given.query ?? {}, body: given.body };
  for (let count = changes(kind, random); count > 0; count -= 1) parts = change(parts, soil.ids(), random);
  if (kind === 'noise') parts = { ...parts, body: anyValue(random) };
  const draft: Draft = {
    method,
    path: pathOf(endpoint.path, parts.params),
    query: queryOf(parts.query),
    headers: [
      ...Object.entries(await soil.credential(endpoint, random.once(4))),
      ...(parts.body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
    ],
    body: parts.body === undefined ? undefined : Buffer.from(jsonText(parts.body)),
  };
  if (kind === 'nonsense') return { kind, bytes: nonsense(draft, random), isHead: false, isDeclared: false };
  const turn = {
    'broken body': withBrokenBody,
    'strange headers': withStrangeHeaders,
    'strange path': withStrangePath,
  }[kind as string];
  const final = turn?.(draft, random) ?? draft;
  return {
    kind,
    bytes: bytesOf(final),
    isHead: final.method === 'HEAD',
    isDeclared: kind !== 'strange path' && parts.params === params,
  };
};

const shown = (bytes: Buffer): string => {
  const text = bytes
    .subarray(0, 6_000)
    .toString('latin1')
    .replaceAll(/(authorization: Bearer |auth_session=)[^\r]*/g, '$1…');
  return JSON.stringify(text).slice(1, 1_500) + (bytes.length > 1_500 ? `… (${bytes.length} bytes)` : '');
};

/** Bodies at and beyond the limit, and as deep as they go. */
const giants = (path: string, authorization: string, fieldId: string): [string, Buffer][] => {
  const post = (body: Buffer): Buffer =>
    bytesOf({
      method: 'POST',
      path,
      query: '',
      headers: [
        ['authorization', authorization],
        ['content-type', 'application/json'],
      ],
      body,
    });
  const megabyte = 1_048_576;
  return [
    ['51 MB', post(Buffer.alloc(51 * megabyte, 0x20))],
    ['49 MB of white space', post(Buffer.concat([Buffer.alloc(49 * megabyte, 0x20), Buffer.from('{}')]))],
    [
      '20 MB of one cell',
      post(
        Buffer.from(
          `{"fieldKeyType":"id","typecast":true,"records":[{"fields":{"${fieldId}":"${'a'.repeat(20 * megabyte)}"}}]}`,
        ),
      ),
    ],
    ['5 million levels', post(Buffer.from('['.repeat(5_000_000) + ']'.repeat(5_000_000)))],
    [
      '2 million levels in a cell',
      post(
        Buffer.from(
          `{"fieldKeyType":"id","typecast":true,"records":[{"fields":{"${fieldId}":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}}]}`,
        ),
      ),
    ],
    [
      'a million keys',
      post(
        Buffer.from(`{"records":[{"fields":{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join()}}}]}`),
      ),
    ],
    ['a million records', post(Buffer.from(`{"records":[${'{"fields":{}},'.repeat(999_999)}{"fields":{}}]}`))],
  ];
};

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Memory in the second quarter of the run, and in the last. */
const growthOf = (samples: number[]): { early: number; late: number } => {
  const quarter = Math.floor(samples.length / 4);
  return { early: median(samples.slice(quarter, 2 * quarter)), late: median(samples.slice(3 * quarter)) };
};

const isGrowing = ({ early, late }: { early: number; late: number }): boolean => late > early * 1.25 + 40;

const sample = (ground: Ground, into: number[]): (() => void) => {
  const timer = setInterval(() => {
    if (ground.isUp()) into.push(ground.memory());
  }, 250);
  return () => clearInterval(timer);
};

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const ground = await openGround();
  const memory: number[] = [];
  const stopSampling = sample(ground, memory);
  try {
    const { operations, codes } = await readDocument(ground.origin);
    // At least one request to each.
    const total = scale === 'full' ? 105_000 : operations.length;
    const soil = await openSoil(ground);
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    const counts = new Map<Kind, number>();
    let [next, done, slow, ploughs] = [0, 0, 0, 0];
    let tending = Promise.resolve();

    const judge = (at: number, { endpoint }: ApiOperation, shot: Shot, reply: Reply): void => {
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      counts.set(shot.kind, (counts.get(shot.kind) ?? 0) + 1);
      // What is hardly HTTP may well be the beginning of something, and then its end is waited for.
      if (shot.kind !== 'nonsense') slow = Math.max(slow, reply.millis);
      // How late an answer is counts in the full proof: in tests the machine may be busy with others.
      const fault = faultOf(scale === 'full' ? reply : inTime(reply), endpoint, codes, {
        isHttp: shot.kind !== 'nonsense',
        isHead: shot.isHead,
        isDeclared: shot.isDeclared,
      });
      if (fault !== undefined)
        failures.push(
          `${endpoint.name}, request ${at}, ${shot.kind}: ${fault}: ${reply.status} ${reply.body.subarray(0, 400).toString('utf8')} | ${shown(shot.bytes)}`,
        );
      if (reply.status < 300) soil.used(endpoint);
    };

    const work = async (wire: Wire): Promise<void> => {
      while (next < total && ground.isUp() && failures.length < 100) {
        const at = next;
        next += 1;
        await tending;
        const random = randomFrom(seed).fork(at);
        const operation = operations[at % operations.length] as ApiOperation;
        const shot = await aim(soil, operation, random);
        judge(at, operation, shot, await wire.send(shot.bytes, shot.kind === 'nonsense'));
        done += 1;
        if (done % 250 === 0) {
          const anyway = done % 4_000 === 0;
          tending = tending
            .then(async () => {
              if (await soil.tend(anyway)) ploughs += 1;
            })
            .catch((error: unknown) => void failures.push(`the ground could not be made again: ${String(error)}`));
        }
        if (done % 5_000 === 0) say(`${done} requests, ${failures.length} wrong, ${ground.memory()} MB`);
      }
      wire.close();
    };
    const wires = Array.from({ length: 12 }, () => openWire(ground.origin, 4 * slowest));
    await Promise.all(wires.map(work));
    if (!ground.isUp()) failures.unshift(`the server ended: ${ground.output().slice(-2_000)}`);

    const growth = growthOf(memory);
    let large = 0;
    if (scale === 'full' && ground.isUp()) {
      const wire = openWire(ground.origin, 60_000);
      const records = operations.find(({ endpoint }) => endpoint.name === 'createRecords') as ApiOperation;
      const [request] = await soil.requests(records.endpoint);
      const { records: rows } = (request?.body ?? { records: [] }) as { records: { fields: object }[] };
      const [fieldId = ''] = Object.keys(rows[0]?.fields ?? {});
      const { authorization = '' } = await soil.credential(records.endpoint, false);
      for (const [what, bytes] of giants(
        pathOf(records.endpoint.path, request?.params ?? {}),
        authorization,
        fieldId,
      )) {
        const reply = await wire.send(bytes);
        large += 1;
        say(`${what}: ${reply.status} after ${reply.millis} ms, ${ground.isUp() ? ground.memory() : 0} MB`);
        const fault = faultOf(inTime(reply), records.endpoint, codes, {
          isHttp: true,
          isHead: false,
          isDeclared: true,
        });
        if (fault !== undefined)
          failures.push(`a body of ${what}: ${fault}: ${reply.status} ${reply.body.subarray(0, 300).toString('utf8')}`);
      }
      wire.close();
      await sleep(1_000);
    }
    if (isGrowing(growth))
      failures.push(`memory grew from ${growth.early} MB in the second quarter to ${growth.late} MB in the last`);
    if (ground.output() !== '') failures.push(`the server complained: ${ground.output().slice(0, 2_000)}`);
    const told = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count.toLocaleString('en-US')} × ${status < 1 ? 'cut' : status}`);
    return {
      figures: {
        Operations: operations.length,
        Requests: done,
        ...Object.fromEntries(kinds.map((kind) => [`of which ${kind}`, counts.get(kind) ?? 0])),
        'Bodies of 20 MB and more, or millions deep': large,
        Answers: told.join(', '),
        'Slowest answer to what is HTTP, in ms': slow,
        'Memory of the server in the second quarter and in the last, in MB': `${growth.early}, ${growth.late}`,
        'Times the ground was made again': ploughs,
        'Faults of the server, hangs, undocumented errors': failures.length,
      },
      failures: failures.slice(0, 100),
    };
  } finally {
    stopSampling();
    await ground.close();
  }
};

export const fuzz: Part = { name: 'fuzz', title: 'Bad input', run };
