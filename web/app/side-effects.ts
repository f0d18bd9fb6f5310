// What requests of a step made beside their own cells, as the server tells it in a header: records in other tables, choices of fields.
export interface SideEffectCounts {
  /** By table. */
  records: Record<string, number>;
  choices: number;
}

const noted = new Map<string, SideEffectCounts>();

export const noteSideEffects = (step: string | undefined, header: string | null): void => {
  if (step === undefined || header === null) return;
  const { records, choices } = JSON.parse(header) as {
    records: Record<string, number>;
    choices: Record<string, number>;
  };
  const counts = noted.get(step) ?? { records: {}, choices: 0 };
  for (const [tableId, count] of Object.entries(records))
    counts.records[tableId] = (counts.records[tableId] ?? 0) + count;
  for (const count of Object.values(choices)) counts.choices += count;
  noted.delete(step);
  noted.set(step, counts);
  // Most steps are never asked about.
  for (const oldest of [...noted.keys()].slice(0, -50)) noted.delete(oldest);
};

/** Of a step whose requests are all answered. */
export const takeSideEffects = (step: string): SideEffectCounts => {
  const counts = noted.get(step) ?? { records: {}, choices: 0 };
  noted.delete(step);
  return counts;
};
