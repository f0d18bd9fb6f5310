import { dayLength, workingTime } from '@rowhouse/contract/working-days.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { criticalOf, earliestAfter, graphOf, push, type Task, tooEarly } from './schedule.ts';

const at = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
const dayText = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
/** `last`: the last day that is part of it. */
const task = (id: string, first: string, last: string, after: string[] = [], lag = 0): Task => ({
  id,
  start: at(first),
  end: at(last) + dayLength,
  after,
  lag,
});
const week = workingTime([1, 2, 3, 4, 5]);
const always = workingTime([]);
const moveTo = (tasks: Task[], id: string, first: string, last: string, works = week) =>
  Object.fromEntries(
    [...push(graphOf(tasks), new Map([[id, { start: at(first), end: at(last) + dayLength }]]), works)].map(
      ([one, { start, end }]) => [one, [dayText(start), dayText(end - dayLength)]],
    ),
  );

const plan = [
  // A Monday to a Wednesday, then a Thursday and Friday, then five days with two free ones between.
  task('draw', '2026-11-16', '2026-11-18'),
  task('build', '2026-11-19', '2026-11-20', ['draw']),
  task('test', '2026-11-23', '2026-11-27', ['build']),
  task('show', '2026-12-02', '2026-12-02', ['test'], 2),
  task('other', '2026-11-16', '2026-11-20'),
];

test('what waits for a moved bar is pushed on over free days, keeps its work, and keeps its distance', () => {
  expect(moveTo(plan, 'draw', '2026-11-18', '2026-11-20')).toEqual({
    draw: ['2026-11-18', '2026-11-20'],
    build: ['2026-11-23', '2026-11-24'],
    test: ['2026-11-25', '2026-12-01'],
    // Two working days lie between.
    show: ['2026-12-04', '2026-12-04'],
  });
  // Two days later fit without moving the last one further than it has to.
  expect(moveTo(plan, 'test', '2026-11-20', '2026-11-26')).toEqual({ test: ['2026-11-20', '2026-11-26'] });
});

test('nothing is pulled back, and what does not wait stays', () => {
  expect(moveTo(plan, 'draw', '2026-11-02', '2026-11-04')).toEqual({ draw: ['2026-11-02', '2026-11-04'] });
});

test('a lag below zero lets a bar begin before the end of the one it waits for', () => {
  const tasks = [task('a', '2026-11-16', '2026-11-18'), task('b', '2026-11-18', '2026-11-19', ['a'], -1)];
  expect([...tooEarly(graphOf(tasks), week)]).toEqual([]);
  expect(moveTo(tasks, 'a', '2026-11-19', '2026-11-20')['b']).toEqual(['2026-11-20', '2026-11-23']);
});

test('tasks that wait for each other are named, and push nobody in their circle', () => {
  const tasks = [
    task('a', '2026-11-16', '2026-11-16', ['c']),
    task('b', '2026-11-17', '2026-11-17', ['a']),
    task('c', '2026-11-18', '2026-11-18', ['b']),
    task('d', '2026-11-19', '2026-11-19', ['c']),
    task('own', '2026-11-19', '2026-11-19', ['own']),
  ];
  expect(graphOf(tasks).cycles).toEqual([['a', 'b', 'c'], ['own']]);
  expect(moveTo(tasks, 'c', '2026-11-19', '2026-11-20')).toEqual({
    c: ['2026-11-19', '2026-11-20'],
    d: ['2026-11-23', '2026-11-23'],
  });
});

test('the critical path is what decides the end', () => {
  const tasks = [
    task('dig', '2026-11-16', '2026-11-20'),
    task('walls', '2026-11-23', '2026-11-27', ['dig']),
    task('garden', '2026-11-23', '2026-11-24', ['dig']),
    task('roof', '2026-12-01', '2026-12-03', ['walls', 'garden'], 1),
    // Ends last, but nothing waits for it, nor does it wait.
    task('alone', '2026-11-16', '2026-12-20'),
  ];
  expect([...criticalOf(graphOf(tasks), week)].toSorted()).toEqual(['dig', 'roof', 'walls']);
});

test('a chain of ten thousand is followed to its end', () => {
  const tasks = Array.from({ length: 10_000 }, (_item, index) => {
    const day = dayText(at('2026-11-16') + index * dayLength);
    return task(`t${index}`, day, day, index === 0 ? [] : [`t${index - 1}`]);
  });
  const graph = graphOf(tasks);
  const moved = push(graph, new Map([['t0', { start: at('2026-11-17'), end: at('2026-11-18') }]]), always);
  expect(moved.size).toBe(10_000);
  expect(criticalOf(graph, always).size).toBe(10_000);
});

const anyPlan = fc
  .record({
    count: fc.integer({ min: 1, max: 14 }),
    links: fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 30 }),
    starts: fc.array(fc.nat(60), { minLength: 14, maxLength: 14 }),
    lengths: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 14, maxLength: 14 }),
    lags: fc.array(fc.integer({ min: -3, max: 4 }), { minLength: 14, maxLength: 14 }),
  })
  .map(({ count, links, starts, lengths, lags }) =>
    Array.from({ length: count }, (_item, index): Task => {
      const start = at('2026-11-16') + (starts[index] as number) * dayLength;
      return {
        id: `t${index}`,
        start,
        end: start + (lengths[index] as number) * dayLength,
        after: links.filter(([to]) => to % count === index).map(([, from]) => `t${from % count}`),
        lag: lags[index] as number,
      };
    }),
  );
const anyWeek = fc.constantFrom(week, always, workingTime([2, 4], ['2026-11-24', '2026-12-01']));

test('whatever the plan: what was pushed waits no more than it must, takes as long, and is never earlier than before', () => {
  fc.assert(
    fc.property(anyPlan, anyWeek, fc.nat(13), fc.integer({ min: -20, max: 40 }), (tasks, works, which, days) => {
      const graph = graphOf(tasks);
      const moved = tasks[which % tasks.length] as Task;
      const to = { start: moved.start + days * dayLength, end: moved.end + days * dayLength };
      const spans = push(graph, new Map([[moved.id, to]]), works);
      const endOf = (id: string): number => (spans.get(id) ?? (graph.tasks.get(id) as Task)).end;
      expect(spans.get(moved.id)).toEqual(to);
      for (const [id, span] of spans) {
        if (id === moved.id) continue;
        const before = graph.tasks.get(id) as Task;
        const earliest = Math.max(
          ...(graph.before.get(id) as string[]).map((one) => earliestAfter(works, endOf(one), before.lag)),
        );
        // As soon as it may, and later than it was.
        expect(span.start).toBe(earliest);
        expect(span.start).toBeGreaterThan(before.start);
        const work = works.between(before.start, before.end);
        expect(work > 0 ? works.between(span.start, span.end) : span.end - span.start).toBe(
          work > 0 ? work : before.end - before.start,
        );
      }
      // Nothing that waits for something that moved begins before it may.
      for (const id of graph.order)
        if (id !== moved.id && (graph.before.get(id) as string[]).some((one) => spans.has(one)))
          for (const one of graph.before.get(id) as string[]) {
            const { start, lag } = { ...(graph.tasks.get(id) as Task), ...spans.get(id) };
            expect(start).toBeGreaterThanOrEqual(earliestAfter(works, endOf(one), lag));
          }
      // A circle is a way round: each waits for the one before it.
      for (const cycle of graph.cycles)
        cycle.forEach((id, index) => expect((graph.tasks.get(id) as Task).after).toContain(cycle.at(index - 1)));
    }),
  );
});

test('a task is critical exactly if a working day more of it delays the end of all that is linked', () => {
  fc.assert(
    fc.property(anyPlan, anyWeek, fc.nat(13), (tasks, works, which) => {
      // A plan in which nothing begins too early.
      const given = graphOf(tasks);
      const fitted = new Map<string, Task>();
      for (const id of given.order) {
        const one = given.tasks.get(id) as Task;
        const waitsFor = given.before.get(id) as string[];
        const start = Math.max(
          works.next(one.start),
          ...waitsFor.map((other) => earliestAfter(works, (fitted.get(other) as Task).end, one.lag)),
        );
        const length = (one.end - one.start) / dayLength;
        fitted.set(id, { ...one, after: waitsFor, start, end: works.after(start, length * dayLength) });
      }
      const graph = graphOf([...fitted.values()]);
      const linked = graph.order.filter(
        (id) => (graph.behind.get(id) as string[]).length + (graph.before.get(id) as string[]).length > 0,
      );
      if (linked.length === 0) return;
      const id = linked[which % linked.length] as string;
      const { start, end } = graph.tasks.get(id) as Task;
      const spans = push(graph, new Map([[id, { start, end: works.after(end, dayLength) }]]), works);
      const lastOf = (endOf: (one: string) => number): number => Math.max(...linked.map(endOf));
      const before = lastOf((one) => (graph.tasks.get(one) as Task).end);
      const after = lastOf((one) => (spans.get(one) ?? (graph.tasks.get(one) as Task)).end);
      expect(criticalOf(graph, works).has(id)).toBe(works.between(before, after) > 0);
    }),
  );
});
