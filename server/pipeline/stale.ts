import { sqlState } from '../db/error.ts';

/** Thrown before anything is committed, when the facts that an attempt was planned on are no longer the present ones. */
export class Stale extends Error {
  readonly what: 'access' | 'schema' | 'records';

  constructor(what: 'access' | 'schema' | 'records') {
    super(`the remembered ${what} are out of date`);
    this.what = what;
  }
}

/** What `rowhouse.take_back` raises. */
export const isTakenBack = (error: unknown): boolean => sqlState(error) === 'RH001';
