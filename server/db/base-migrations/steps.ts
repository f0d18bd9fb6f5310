// The versions of a base's schema: step N brings a base from version N - 1 to N, and a new base goes through all of them.
// Forward only; a released step is never edited. An older Rowhouse may run beside this one on the same database, so a
// step adds, and takes away only what no supported version uses. A step may also change the rows that schema
// `rowhouse` has about its base: a restored base goes through the steps, and not through the migrations.
import type { Queryable } from '../db.ts';
import { groundFloor } from './0001-ground-floor.ts';
import { causedOperations } from './0002-caused-operations.ts';
import { schemaChanges } from './0003-schema-changes.ts';
import { comments } from './0004-comments.ts';
import { windowSteps } from './0005-window-steps.ts';

/** Runs in a transaction that holds the base's row. */
type BaseStep = (db: Queryable, baseId: string) => Promise<void>;

export const baseSteps: readonly BaseStep[] = [groundFloor, causedOperations, schemaChanges, comments, windowSteps];

export const newestBaseVersion = baseSteps.length;
