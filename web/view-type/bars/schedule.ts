// What follows from who waits for whom: which bars a moved one pushes on, which decide the end of everything, and which wait for each other in a
// circle. It knows nothing of records, fields or the screen. Times are wall times.
import { dayLength, type WorkingTime } from '@rowhouse/contract/working-days.ts';

export interface Task {
  id: string;
  start: number;
  /** The first moment that is not part of it. */
  end: number;
  /** What has to be finished before it begins. */
  after: readonly string[];
  /** So many working days lie between their ends and its start; below zero: it begins that much before their ends. */
  lag: number;
}

export interface Span {
  start: number;
  end: number;
}

export interface Graph {
  tasks: ReadonlyMap<string, Task>;
  /** Each task behind all that it waits for. Links within a circle count nothing. */
  order: readonly string[];
  /** What it waits for, and what waits for it, without circles. */
  before: ReadonlyMap<string, readonly string[]>;
  behind: ReadonlyMap<string, readonly string[]>;
  /** Tasks that wait for each other, each list in the order in which they do: the first one waits for the last. */
  cycles: readonly (readonly string[])[];
}

/** Groups of tasks that can reach each other, by Tarjan; without recursion: a chain may have ten thousand links. */
const groupsOf = (ids: readonly string[], next: (id: string) => readonly string[]): Map<string, number> => {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const group = new Map<string, number>();
  const open: string[] = [];
  let count = 0;
  let groups = 0;
  for (const root of ids) {
    if (index.has(root)) continue;
    const walk: { id: string; at: number }[] = [];
    const enter = (id: string): void => {
      index.set(id, count);
      low.set(id, count);
      count += 1;
      open.push(id);
      walk.push({ id, at: 0 });
    };
    enter(root);
    while (walk.length > 0) {
      const step = walk.at(-1) as { id: string; at: number };
      const to = next(step.id)[step.at];
      step.at += 1;
      if (to !== undefined) {
        if (!index.has(to)) enter(to);
        else if (!group.has(to)) low.set(step.id, Math.min(low.get(step.id) as number, index.get(to) as number));
        continue;
      }
      walk.pop();
      const parent = walk.at(-1);
      if (parent !== undefined) low.set(parent.id, Math.min(low.get(parent.id) as number, low.get(step.id) as number));
      if (low.get(step.id) !== index.get(step.id)) continue;
      for (let id = open.pop() as string; ; id = open.pop() as string) {
        group.set(id, groups);
        if (id === step.id) break;
      }
      groups += 1;
    }
  }
  return group;
};

/** The shortest way round from a task to itself, within its group. */
const cycleAt = (start: string, next: (id: string) => readonly string[]): string[] => {
  const from = new Map<string, string>();
  const queue = [start];
  for (const id of queue) {
    for (const to of next(id)) {
      if (to === start) {
        const way = [id];
        while (way[0] !== start) way.unshift(from.get(way[0] as string) as string);
        return way;
      }
      if (from.has(to)) continue;
      from.set(to, id);
      queue.push(to);
    }
  }
  return [start];
};

export const graphOf = (list: readonly Task[]): Graph => {
  const tasks = new Map(list.map((task) => [task.id, task]));
  const all = new Map<string, string[]>(list.map(({ id }) => [id, []]));
  for (const { id, after } of list) for (const one of new Set(after)) all.get(one)?.push(id);
  const followers = (id: string): readonly string[] => all.get(id) ?? [];
  const ids = [...tasks.keys()];
  const group = groupsOf(ids, followers);
  const members = new Map<number, string[]>();
  for (const id of ids) {
    const together = members.get(group.get(id) as number);
    if (together === undefined) members.set(group.get(id) as number, [id]);
    else together.push(id);
  }
  const cycles = [...members.values()].flatMap((together) => {
    const [first] = together as [string];
    if (together.length === 1 && !followers(first).includes(first)) return [];
    return [cycleAt(first, (id) => followers(id).filter((to) => group.get(to) === group.get(id)))];
  });
  const behind = new Map(ids.map((id) => [id, followers(id).filter((to) => group.get(to) !== group.get(id))]));
  const before = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const [id, list] of behind) for (const to of list) before.get(to)?.push(id);
  const waits = new Map([...before].map(([id, list]) => [id, list.length]));
  const order = ids.filter((id) => waits.get(id) === 0);
  for (const id of order)
    for (const to of behind.get(id) ?? []) {
      const left = (waits.get(to) as number) - 1;
      waits.set(to, left);
      if (left === 0) order.push(to);
    }
  return { tasks, order, before, behind, cycles };
};

/** When something may begin that waits for what ends then. */
export const earliestAfter = (works: WorkingTime, end: number, lag: number): number =>
  works.next(works.after(end, lag * dayLength));

/** How long it takes, in working time; what stands on free days alone takes as long as it is shown. */
const workOf = (works: WorkingTime, { start, end }: Span): { length: number; isWork: boolean } => {
  const length = works.between(start, end);
  return length > 0 || end <= start ? { length, isWork: true } : { length: end - start, isWork: false };
};

/** The same work from another start. */
export const spanFrom = (works: WorkingTime, span: Span, start: number): Span => {
  const { length, isWork } = workOf(works, span);
  return { start, end: isWork ? works.after(start, length) : start + length };
};

/**
 * What else moves when these do: everything that waits for them, directly or through others, and would begin too early, begins as soon as it may and takes as
 * long as before. Nothing is pulled back. What is moved by hand stays where it was put.
 */
export const push = (
  { tasks, order, before, behind }: Graph,
  moved: ReadonlyMap<string, Span>,
  works: WorkingTime,
): Map<string, Span> => {
  const spans = new Map(moved);
  const reached = new Set<string>();
  const queue = [...moved.keys()];
  for (const id of queue)
    for (const to of behind.get(id) ?? [])
      if (!reached.has(to)) {
        reached.add(to);
        queue.push(to);
      }
  for (const id of order) {
    if (!reached.has(id) || moved.has(id)) continue;
    const task = tasks.get(id) as Task;
    const waitsFor = before.get(id) ?? [];
    // A branch that nothing has moved stays as it is, also where somebody has put it too early.
    if (!waitsFor.some((one) => spans.has(one))) continue;
    const earliest = Math.max(
      ...waitsFor.map((one) => earliestAfter(works, (spans.get(one) ?? (tasks.get(one) as Task)).end, task.lag)),
    );
    if (task.start < earliest) spans.set(id, spanFrom(works, task, earliest));
  }
  return spans;
};

/** Tasks that cannot end later without everything ending later. */
export const criticalOf = ({ tasks, order, behind }: Graph, works: WorkingTime): Set<string> => {
  const linked = order.filter((id) => (behind.get(id) ?? []).length > 0 || (tasks.get(id) as Task).after.length > 0);
  const last = Math.max(...linked.map((id) => (tasks.get(id) as Task).end));
  const critical = new Set<string>();
  /** When it has to begin at the latest. */
  const latest = new Map<string, number>();
  for (const id of linked.toReversed()) {
    const task = tasks.get(id) as Task;
    const ends = (behind.get(id) ?? []).map((to) =>
      works.after(latest.get(to) as number, -(tasks.get(to) as Task).lag * dayLength),
    );
    const end = Math.min(last, ...ends);
    const { length, isWork } = workOf(works, task);
    latest.set(id, isWork ? works.before(end, length) : end - length);
    if (works.between(task.end, Math.max(end, task.end)) <= 0) critical.add(id);
  }
  return critical;
};

/** Tasks that begin before what they wait for is finished: what, and for which. */
export const tooEarly = ({ tasks, before }: Graph, works: WorkingTime): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const [id, waitsFor] of before) {
    const { start, lag } = tasks.get(id) as Task;
    const unmet = waitsFor.filter((one) => earliestAfter(works, (tasks.get(one) as Task).end, lag) > start);
    if (unmet.length > 0) found.set(id, unmet);
  }
  return found;
};
