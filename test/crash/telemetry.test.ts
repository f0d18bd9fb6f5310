// What an operator sees of the real program: traces, metrics, the access log, slow statements; and that none of it tells what is in tables.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeNewerProgram } from '../support/newer-program.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { addRecord, credentialsIn, request, runProgram, serve, until, usedDataFolder } from '../support/program.ts';

const canary = 'canary-of-a-cell-7f3a';

const attribute = ({ attributes }: ReceivedSpan, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};

test('spans lead from a request through the pipeline to its statements, jobs have theirs, metrics are those of /metrics, and nothing tells values', async () => {
  const collector = await startOtlpReceiver();
  const data = usedDataFolder();
  const known = credentialsIn(data);
  const server = await serve({
    ROWHOUSE_DATA: data,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=key%20of%20collector',
    OTEL_METRIC_EXPORT_INTERVAL: '300',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  try {
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const made = await fetch(`${server.origin}/api/table/${known.tableId}/record`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${known.token}`,
        'content-type': 'application/json',
        'x-request-id': 'request-of-the-test',
        traceparent: `00-${traceId}-${spanId}-01`,
      },
      body: JSON.stringify({ records: [{ fields: { Name: canary } }] }),
    });
    expect(made.status).toBe(201);
    const search = encodeURIComponent(
      JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: 'Name', operator: 'is', value: canary }] }),
    );
    expect(
      (await request(server.origin, known, 'GET', `/table/${known.tableId}/record?fieldKeyType=name&filter=${search}`))
        .status,
    ).toBe(200);
    expect(
      (await request(server.origin, known, 'GET', `/table/tbl0000000000000000/record`)).status,
    ).toBeGreaterThanOrEqual(400);

    const named = (name: string): ReceivedSpan | undefined => collector.spans.find((span) => span.name === name);
    await until(
      'the spans of the request and of a job have come',
      () =>
        [`POST /api/table/:tableId/record`, 'GET /api/table/:tableId/record'].every(
          (name) => named(name) !== undefined,
        ) &&
        collector.spans.some(({ name }) => name.startsWith('job ')) &&
        collector.spans.some((span) => attribute(span, 'error.type') !== undefined),
    );
    const post = named('POST /api/table/:tableId/record') as ReceivedSpan;
    expect([post.traceId, post.parentSpanId, post.kind]).toEqual([traceId, spanId, 2]);
    expect(attribute(post, 'http.response.status_code')).toBe(201);
    expect(attribute(post, 'rowhouse.operation')).toBe('createRecords');
    expect(attribute(post, 'rowhouse.request_id')).toBe('request-of-the-test');
    const below = (above: ReceivedSpan): ReceivedSpan[] =>
      collector.spans.filter(({ parentSpanId }) => parentSpanId === above.spanId);
    const write = below(post).find(({ name }) => name === 'pipeline write') as ReceivedSpan;
    expect(below(post).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['pipeline plan', 'pipeline write', 'pipeline answer']),
    );
    const statement = below(write).find(({ name }) => name.startsWith('statement ')) as ReceivedSpan;
    expect(statement.traceId).toBe(traceId);
    expect(attribute(statement, 'rowhouse.statement')).toMatch(/^[\w-]{20}$/);
    expect(BigInt(statement.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(post.startTimeUnixNano));
    expect(BigInt(statement.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(post.endTimeUnixNano));
    // What is refused has a code and no text.
    const refused = collector.spans.find((span) => attribute(span, 'error.type') !== undefined);
    expect(attribute(refused as ReceivedSpan, 'error.type')).toMatch(/^\w+$/);

    const job = collector.spans.find(({ name }) => name.startsWith('job ')) as ReceivedSpan;
    expect(job.parentSpanId ?? '').toBe('');
    expect(attribute(job, 'rowhouse.job.kind')).toBe(job.name.slice('job '.length));

    const shown = await (await fetch(`${server.origin}/metrics`)).text();
    const names = [...shown.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name as string);
    await until('the figures have come', () => names.every((name) => collector.metrics.has(name)));
    expect(names.length).toBeGreaterThan(20);
    await until('the request is counted', () =>
      (collector.metrics.get('rowhouse_http_request_seconds')?.histogram?.dataPoints ?? []).some(
        ({ count, bucketCounts, explicitBounds }) => {
          expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
          return Number(count) > 0 && bucketCounts.reduce<number>((sum, one) => sum + Number(one), 0) === Number(count);
        },
      ),
    );
    expect(collector.metrics.get('rowhouse_db_statements_total')?.sum?.isMonotonic).toBe(true);
    expect(new Set(collector.headers)).toEqual(new Set(['key of collector']));

    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    for (const secret of [canary, known.token, known.password, known.email, 'key of collector', 'values (', 'select '])
      expect(collector.bodies.filter((body) => body.includes(secret))).toEqual([]);
  } finally {
    await collector.close();
  }
});

/** Names of figures with the labels that are asked of them. */
const askedIn = (expression: string): { name: string; labels: string[] }[] =>
  [...expression.matchAll(/\b((?:rowhouse|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, labels = '']) => ({
    name: name as string,
    labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label as string),
  }));

test('the dashboard and the alert rules ask for figures and labels that are served', async () => {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs/monitoring', name), 'utf8');
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
    templating: { list: { query: string | { query: string } }[] };
  };
  const rules = (
    parse(read('alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  ).groups.flatMap((group) => group.rules);
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query)),
    ...rules.map(({ expr }) => expr),
  ];
  expect(dashboard.panels.length).toBeGreaterThan(15);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const data = usedDataFolder();
  const server = await serve({ ROWHOUSE_DATA: data, ROWHOUSE_SLOW_STATEMENT: '1' });
  await addRecord(server.origin, credentialsIn(data), 'one');
  const figures = await (await fetch(`${server.origin}/metrics`)).text();
  const types = new Map(
    [...figures.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name as string, type as string]),
  );
  const faults = expressions.flatMap(askedIn).flatMap(({ name, labels }) => {
    const whole = name.replace(/_(bucket|sum|count)$/, '');
    const served = types.has(name) ? name : types.get(whole) === 'histogram' ? whole : undefined;
    if (served === undefined) return [`${name} is not served`];
    const shown = figures
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .join('\n');
    // Prometheus adds the process; what has no line yet cannot be looked at.
    return labels
      .filter((label) => label !== 'instance' && shown !== '' && !shown.includes(`${label}="`))
      .map((label) => `${name} has no label ${label}`);
  });
  expect(faults).toEqual([]);
});

test('without an endpoint nothing of it is loaded, and a collector that is away harms nobody', async () => {
  const bare = makeNewerProgram({});
  const data = usedDataFolder();
  try {
    rmSync(join(bare.main, '../telemetry.cjs'));
    const server = await serve({ ROWHOUSE_DATA: data }, bare.main);
    expect(await addRecord(server.origin, credentialsIn(data), 'without')).toBe(201);
    server.kill('SIGTERM');
    await server.ended;
    const missing = runProgram(
      ['serve'],
      { ROWHOUSE_DATA: data, PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
      bare.main,
    );
    expect(await missing.ended).toBe(1);
    expect(missing.output()).toContain('telemetry.cjs');
  } finally {
    bare.remove();
  }
  const away = await serve({
    ROWHOUSE_DATA: data,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_METRIC_EXPORT_INTERVAL: '100',
    ROWHOUSE_STOP_WAIT: '2',
  });
  expect(await addRecord(away.origin, credentialsIn(data), 'away')).toBe(201);
  await until('it is told', () => away.logged().includes('telemetry failed'));
  away.kill('SIGTERM');
  expect(await away.ended).toBe(0);
});

test('the access log has a line for each request, slow statements are named by operation and request, and neither tells values', async () => {
  const data = usedDataFolder();
  const known = credentialsIn(data);
  const server = await serve({
    ROWHOUSE_DATA: data,
    ROWHOUSE_ACCESS_LOG: 'yes',
    ROWHOUSE_SLOW_STATEMENT: '1',
    LOG_LEVEL: 'warn',
  });
  const made = await fetch(`${server.origin}/api/table/${known.tableId}/record?fieldKeyType=name`, {
    method: 'POST',
    headers: { authorization: `Bearer ${known.token}`, 'content-type': 'application/json', 'x-request-id': 'slow-one' },
    body: JSON.stringify({ records: Array.from({ length: 2_000 }, () => ({ fields: { Name: canary } })) }),
  });
  expect(made.status).toBe(201);
  expect((await fetch(`${server.origin}/api/invitation/${canary}?code=${canary}`)).status).toBeGreaterThanOrEqual(400);
  const lines = (): Record<string, unknown>[] =>
    server
      .logged()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await until(
    'both are told',
    () => lines().some(({ status }) => status === 201) && lines().filter(({ kind }) => kind === 'access').length >= 2,
  );
  expect(lines().find(({ requestId }) => requestId === 'slow-one')).toMatchObject({
    kind: 'access',
    method: 'POST',
    route: '/api/table/:tableId/record',
    operation: 'createRecords',
    tableId: known.tableId,
    status: 201,
    ip: '127.0.0.1',
  });
  const slow = lines().flatMap(({ slow }) => (slow === undefined ? [] : [slow as Record<string, unknown>]));
  expect(slow.find(({ requestId }) => requestId === 'slow-one')).toMatchObject({
    operation: 'createRecords',
    base: known.baseId,
  });
  const figures = await (await fetch(`${server.origin}/metrics`)).text();
  expect(figures).toMatch(/rowhouse_slow_statements_total\{operation="createRecords"\} [1-9]/);
  const recent = (await (await fetch(`${server.origin}/metrics/recent`)).json()) as {
    slowStatements: { operation: string }[];
  };
  expect(recent.slowStatements.map(({ operation }) => operation)).toContain('createRecords');
  expect((await fetch(`${server.origin}/metrics/recent`, { headers: { 'x-forwarded-for': '8.8.8.8' } })).status).toBe(
    401,
  );
  for (const secret of [canary, known.token, known.email])
    expect(server.logged() + JSON.stringify(recent) + figures).not.toContain(secret);
});
