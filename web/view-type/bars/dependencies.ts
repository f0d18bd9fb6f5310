// What waits for what, from the links between records.
import { dayLength, type WorkingTime } from '@rowhouse/contract/working-days.ts';
import { linksOf } from '../../field-type/link/linked.ts';
import type { Waiting } from './bar-fields.ts';
import type { Bar } from './bars.ts';
import type { Edge } from './draw-arrows.ts';
import { criticalOf, type Graph, graphOf, push, type Span, spanFrom, type Task, tooEarly } from './schedule.ts';

const none: ReadonlySet<string> = new Set();

const tasksOf = (bars: readonly Bar[], { link, lag, lagField }: Waiting, byDay: boolean): Task[] => {
  const known = new Set(bars.map(({ id }) => id));
  return bars.map(({ id, record, start, end }) => {
    const own = lagField === undefined ? undefined : record.fields[lagField.id];
    return {
      id,
      start,
      end: byDay ? Math.ceil(end / dayLength) * dayLength : end,
      after: linksOf(record.fields[link.id]).flatMap((linked) =>
        linked.id !== undefined && known.has(linked.id) ? [linked.id] : [],
      ),
      lag: typeof own === 'number' ? own : lag,
    };
  });
};

interface Dependencies {
  graph: Graph | undefined;
  edges: readonly Edge[];
  critical: ReadonlySet<string>;
  cycles: readonly (readonly string[])[];
}

export const noDependencies: Dependencies = { graph: undefined, edges: [], critical: none, cycles: [] };

export const dependenciesOf = (
  bars: readonly Bar[],
  waiting: Waiting,
  works: WorkingTime,
  { byDay, isCriticalShown }: { byDay: boolean; isCriticalShown: boolean },
): Dependencies => {
  const graph = graphOf(tasksOf(bars, waiting, byDay));
  const critical = isCriticalShown ? criticalOf(graph, works) : none;
  const early = tooEarly(graph, works);
  return {
    graph,
    critical,
    cycles: graph.cycles,
    edges: [...graph.tasks.values()].flatMap(({ id, after }) =>
      [...new Set(after)].map((from) => ({
        from,
        to: id,
        isEarly: early.get(id)?.includes(from) === true,
        isCritical: critical.has(from) && critical.has(id),
      })),
    ),
  };
};

/** Everything that moves when a bar is put there. */
export const movedWith = (waits: Dependencies, works: WorkingTime, bar: Bar, to: Span): ReadonlyMap<string, Span> => {
  const moved = new Map([[bar.id, to]]);
  return waits.graph === undefined ? moved : push(waits.graph, moved, works);
};

/** The bar from another moment on: it begins on a working day, and keeps its work. */
export const shifted = (works: WorkingTime, bar: Bar, start: number): Span => spanFrom(works, bar, works.next(start));
