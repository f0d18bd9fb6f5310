import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RecordRun, runsOf } from './placement.ts';

/** As the database does it. */
const apply = (list: readonly string[], { recordIds, anchorId, position }: RecordRun): string[] => {
  const rest = list.filter((id) => !recordIds.includes(id));
  const at = rest.indexOf(anchorId) + (position === 'after' ? 1 : 0);
  return rest.toSpliced(at, 0, ...recordIds);
};

const standing = (list: readonly string[], moved: readonly string[]) =>
  list.flatMap((id, at) =>
    moved.includes(id)
      ? [{ id, above: list[at - 1] ?? null, below: list.slice(at + 1).find((other) => !moved.includes(other)) ?? null }]
      : [],
  );

test('what was put elsewhere goes back to where it stood, however many there were', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  fc.assert(
    fc.property(
      fc.subarray(ids, { minLength: 1, maxLength: 5 }),
      fc.nat(),
      fc.constantFrom('before' as const, 'after' as const),
      (recordIds, choice, position) => {
        const rest = ids.filter((id) => !recordIds.includes(id));
        const moved = apply(ids, { recordIds, anchorId: rest[choice % rest.length] as string, position });
        expect(runsOf(standing(ids, recordIds)).reduce(apply, moved)).toEqual(ids);
      },
    ),
  );
});
