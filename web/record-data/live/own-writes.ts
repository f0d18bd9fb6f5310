// A write of one's own is answered, and also told by the stream, in the order in which everybody's writes happened.
// Whichever comes second must not undo what others wrote in between.

interface OwnWrites {
  /** The stream tells of a write. True: it was answered before, and what the answer said is shown already. */
  heard(operationId: string, wasApplied: boolean): boolean;
  /** A write is answered: whether the stream told of it before, and whether its cells were applied then. */
  answered(operationId: string | undefined): 'not heard' | 'applied' | 'passed over';
}

const kept = 500;

const trim = (collection: Map<string, unknown> | Set<string>): void => {
  const [oldest] = collection.keys();
  if (collection.size > kept && oldest !== undefined) collection.delete(oldest);
};

export const createOwnWrites = (): OwnWrites => {
  const told = new Map<string, boolean>();
  const answers = new Set<string>();
  return {
    heard(operationId, wasApplied) {
      if (answers.delete(operationId)) return true;
      told.set(operationId, wasApplied);
      trim(told);
      return false;
    },
    answered(operationId) {
      if (operationId === undefined) return 'not heard';
      const wasApplied = told.get(operationId);
      told.delete(operationId);
      if (wasApplied !== undefined) return wasApplied ? 'applied' : 'passed over';
      answers.add(operationId);
      trim(answers);
      return 'not heard';
    },
  };
};
