// The one graph of what needs what: nodes, edges, and what follows from them. It knows ids alone; what a node is and which edges there are is told
// by related.ts (tables that links join), cell/formula.sql.ts (formulas of one table), computed/dependencies.ts (all fields, from their definitions) and
// computed/graph.ts (stored columns). See ADR 95.

/** What each node needs. It may need something that is no node, such as a plain field or one that is gone. */
export type Needs = ReadonlyMap<string, readonly string[]>;

const dependents = new WeakMap<Needs, ReadonlyMap<string, readonly string[]>>();

/** The edges turned round, once per graph. */
const dependentsIn = (needs: Needs): ReadonlyMap<string, readonly string[]> => {
  const known = dependents.get(needs);
  if (known !== undefined) return known;
  const made = new Map<string, string[]>();
  for (const [id, needed] of needs)
    for (const need of needed) {
      const others = made.get(need);
      if (others === undefined) made.set(need, [id]);
      else others.push(id);
    }
  dependents.set(needs, made);
  return made;
};

const reached = (ids: Iterable<string>, edges: ReadonlyMap<string, readonly string[]>): Set<string> => {
  const found = new Set(ids);
  // A set hands out what is added while it is walked.
  for (const id of found) for (const next of edges.get(id) ?? []) found.add(next);
  return found;
};

/** The ids, and everything that needs one of them. */
export const downstream = (needs: Needs, ids: Iterable<string>): Set<string> => reached(ids, dependentsIn(needs));

/** The ids, and everything that they need. */
export const upstream = (needs: Needs, ids: Iterable<string>): Set<string> => reached(ids, needs);

/** The ids, and what they need of what `needsOf` tells, each after what it needs. In a circle one comes before something that it needs. */
export const dependenciesFirst = (
  ids: Iterable<string>,
  needsOf: (id: string) => Iterable<string> | undefined,
): string[] => {
  const [seen, done] = [new Set<string>(), new Set<string>()];
  const visit = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const next of needsOf(id) ?? []) visit(next);
    done.add(id);
  };
  for (const id of ids) visit(id);
  return [...done];
};

/** The ids along which a node needs itself, that node first and last; undefined when none does. It is looked for from `start` on, when there is one. */
export const cycleIn = (needs: Needs, start?: string): string[] | undefined => {
  const done = new Set<string>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const visit = (id: string): string[] | undefined => {
    if (onPath.has(id)) return [...path.slice(path.indexOf(id)), id];
    if (done.has(id)) return undefined;
    path.push(id);
    onPath.add(id);
    for (const next of needs.get(id) ?? []) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    path.pop();
    onPath.delete(id);
    done.add(id);
    return undefined;
  };
  for (const id of start === undefined ? needs.keys() : [start]) {
    const found = visit(id);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Nodes that are broken, because `isBrokenItself` says so, or because something that they need is: the state travels. */
export const brokenIn = (needs: Needs, isBrokenItself: (id: string) => boolean): Set<string> =>
  downstream(
    needs,
    [...needs.keys()].filter((id) => isBrokenItself(id)),
  );

/** Those of the candidates that belong together with those found before them, as long as there are more; in the order in which they are found. */
export const growing = (
  candidates: Iterable<string>,
  belongs: (id: string, found: ReadonlySet<string>) => boolean,
): Set<string> => {
  const left = new Set(candidates);
  const found = new Set<string>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const id of left)
      if (belongs(id, found)) {
        found.add(id);
        left.delete(id);
      }
  }
  return found;
};

/** The longest way from a node to the end of what it needs, where each edge counts `length`. There must be no circle. */
export const longestFrom = (needs: Needs, length: (id: string, need: string) => number): Map<string, number> => {
  const longest = new Map<string, number>();
  for (const id of dependenciesFirst(needs.keys(), (one) => needs.get(one)))
    longest.set(id, Math.max(0, ...(needs.get(id) ?? []).map((need) => (longest.get(need) ?? 0) + length(id, need))));
  return longest;
};
