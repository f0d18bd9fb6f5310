// What the clients know: what was acknowledged, and what they sent without getting an answer.

export interface Sent {
  key: string;
  body: { records: { fields: Record<string, unknown> }[] };
}

export interface Ledger {
  /** Record id → name, of every create that was acknowledged. */
  created: Map<string, string>;
  /** Creates without an answer: they are sent again, with the same key. */
  unsure: Set<Sent>;
  deleted: Set<string>;
  unsureDeleted: Set<string>;
  /** `record:count` of every update that was acknowledged since the last check; no count is written twice. */
  written: Set<string>;
  /** Operations that were acknowledged since the last check. */
  operations: Set<string>;
  /** Records that were named somebody in, and those of which nobody knows. */
  naming: Set<string>;
  unsureNaming: Set<string>;
  level: string;
  unsureLevel: string | undefined;
  planChanges: number;
  acknowledged: number;
  unanswered: number;
  /** Answers with 503 when others had been answered again. */
  putOff: number;
}

export const emptyLedger = (): Ledger => ({
  created: new Map(),
  unsure: new Set(),
  deleted: new Set(),
  unsureDeleted: new Set(),
  written: new Set(),
  operations: new Set(),
  naming: new Set(),
  unsureNaming: new Set(),
  level: 'free',
  unsureLevel: undefined,
  planChanges: 0,
  acknowledged: 0,
  unanswered: 0,
  putOff: 0,
});
