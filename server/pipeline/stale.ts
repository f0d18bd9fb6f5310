import { sqlState } from '../db/error.ts';

/** Thrown before anything is committed, when the facts that an attempt was planned on are no longer the present ones. */
export class Stale extends Error {
  readonly what: 'access' | 'schema' | 'records' | 'reach';

  constructor(what: 'access' | 'schema' | 'records' | 'reach') {
    super(`the remembered ${what} are out of date`);
    this.what = what;
  }
}

/** Thrown before anything is written, when more records depend on a write than it may hold: these fields are to be left to a job. */
export class OutOfReach extends Stale {
  readonly fieldIds: readonly string[];

  constructor(fieldIds: readonly string[]) {
    super('reach');
    this.fieldIds = fieldIds;
  }
}

/** What `rowhouse.take_back` raises. */
export const isTakenBack = (error: unknown): boolean => sqlState(error) === 'RH001';
