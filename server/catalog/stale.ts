/** Thrown by a guarded operation when the epoch or the schema version it was planned with is no longer the present one. */
export class Stale extends Error {
  readonly what: 'access' | 'schema';

  constructor(what: 'access' | 'schema') {
    super(`the remembered ${what} is out of date`);
    this.what = what;
  }
}
