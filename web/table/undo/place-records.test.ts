import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RecordRun, runsIn } from './place-records.ts';

/** As the server does it. */
const apply = (list: readonly string[], { recordIds, anchorId, position }: RecordRun): string[] => {
  const rest = list.filter((id) => !recordIds.includes(id));
  const at = rest.indexOf(anchorId) + (position === 'after' ? 1 : 0);
  return rest.toSpliced(at, 0, ...recordIds);
};

test('what was put elsewhere goes back to where it stood, however many there were', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  fc.assert(
    fc.property(fc.subarray(ids, { minLength: 1, maxLength: 5 }), fc.nat(), fc.constantFrom('before' as const, 'after' as const), (recordIds, choice, position) => {
      const rest = ids.filter((id) => !recordIds.includes(id));
      const moved = apply(ids, { recordIds, anchorId: rest[choice % rest.length] as string, position });
      expect(runsIn(ids, new Set(recordIds)).reduce(apply, moved)).toEqual(ids);
    }),
  );
});
