import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  brokenIn,
  cycleIn,
  dependenciesFirst,
  downstream,
  growing,
  longestFrom,
  type Needs,
  upstream,
} from './dependency.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Any edges; some lead to `gone`, which is no node. */
const anyGraph: fc.Arbitrary<Needs> = fc
  .array(fc.uniqueArray(fc.constantFrom(...ids, 'gone'), { maxLength: 3 }), { minLength: 7, maxLength: 7 })
  .map((edges) => new Map(ids.map((id, at) => [id, edges[at] as string[]])));

/** Edges that lead to earlier nodes alone, in an order that nobody sees. */
const noCircle: fc.Arbitrary<Needs> = fc
  .tuple(anyGraph, fc.shuffledSubarray(ids, { minLength: 7 }))
  .map(
    ([graph, order]) =>
      new Map(
        ids.map((id) => [id, (graph.get(id) ?? []).filter((one) => order.slice(0, order.indexOf(id)).includes(one))]),
      ),
  );

/** Pairs of which the first needs the second, in any number of steps: multiplied out. */
const closureOf = (graph: Needs): Set<string> => {
  const pairs = new Set([...graph].flatMap(([id, needed]) => needed.map((need) => `${id}>${need}`)));
  for (const middle of ids)
    for (const one of ids)
      for (const other of [...ids, 'gone'])
        if (pairs.has(`${one}>${middle}`) && pairs.has(`${middle}>${other}`)) pairs.add(`${one}>${other}`);
  return pairs;
};

test('downstream and upstream are the transitive closure', () => {
  fc.assert(
    fc.property(anyGraph, fc.subarray(ids), (graph, from) => {
      const pairs = closureOf(graph);
      const needing = ids.filter((id) => from.includes(id) || from.some((one) => pairs.has(`${id}>${one}`)));
      expect([...downstream(graph, from)].toSorted()).toEqual(needing);
      const needed = [...ids, 'gone'].filter(
        (id) => from.includes(id) || from.some((one) => pairs.has(`${one}>${id}`)),
      );
      expect([...upstream(graph, from)].toSorted()).toEqual(needed);
    }),
  );
});

test('a circle is found when there is one, and it is one', () => {
  fc.assert(
    fc.property(fc.oneof(anyGraph, noCircle), (graph) => {
      const pairs = closureOf(graph);
      const found = cycleIn(graph);
      expect(found !== undefined).toBe(ids.some((id) => pairs.has(`${id}>${id}`)));
      if (found === undefined) return;
      expect(found.at(-1)).toBe(found[0]);
      expect(new Set(found).size).toBe(found.length - 1);
      for (const [at, id] of found.slice(1).entries()) expect(graph.get(found[at] as string)).toContain(id);
    }),
  );
});

test('what is broken breaks all that needs it, and nothing else', () => {
  fc.assert(
    fc.property(anyGraph, fc.subarray(ids), (graph, itself) => {
      const pairs = closureOf(graph);
      const isBrokenItself = (id: string): boolean => itself.includes(id) || (graph.get(id) ?? []).includes('gone');
      const roots = ids.filter(isBrokenItself);
      const expected = ids.filter((id) => roots.includes(id) || roots.some((root) => pairs.has(`${id}>${root}`)));
      expect([...brokenIn(graph, isBrokenItself)].toSorted()).toEqual(expected);
    }),
  );
});

test('each comes after what it needs, and its longest way is one more than the longest of those', () => {
  fc.assert(
    fc.property(noCircle, (graph) => {
      const order = dependenciesFirst(graph.keys(), (id) => graph.get(id));
      expect(order.toSorted()).toEqual(ids);
      const longest = longestFrom(graph, () => 1);
      for (const [id, needed] of graph) {
        for (const need of needed) expect(order.indexOf(need)).toBeLessThan(order.indexOf(id));
        expect(longest.get(id)).toBe(Math.max(0, ...needed.map((need) => (longest.get(need) as number) + 1)));
      }
      // Ready when all it needs is ready: without a circle these are all.
      expect(growing(ids, (id, found) => (graph.get(id) ?? []).every((need) => found.has(need))).size).toBe(7);
    }),
  );
});
