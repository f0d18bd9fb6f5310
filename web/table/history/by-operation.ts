/** Entries of one request stand next to each other; each such run becomes one item. */
export const byOperation = <T extends { entry: { id: string; operationId?: string } }>(
  entries: readonly T[],
): T[][] => {
  const runs: T[][] = [];
  for (const item of entries) {
    const last = runs.at(-1);
    if (
      last !== undefined &&
      item.entry.operationId !== undefined &&
      last[0]?.entry.operationId === item.entry.operationId
    )
      last.push(item);
    else runs.push([item]);
  }
  return runs;
};
