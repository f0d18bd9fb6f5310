// What somebody may in a base or table: by their role, or, where rules bind them, what these give. Everything in the app that offers something asks here.
import { type Action, actions, allows as roleAllows, type Role } from '@rowhouse/contract/permission.ts';
import { currentViewing } from './viewing.ts';

export type Standing = Role | ReadonlySet<Action>;

export const allows = (standing: Standing, action: Action): boolean =>
  typeof standing === 'string' ? roleAllows(standing, action) : standing.has(action);

/** What is of tables, each table says. */
const ofTables = new Set<Action>(['table|export', 'base|table_export']);

/** In a base whose rules bind them. */
const boundStanding: Standing = new Set(
  actions.filter((action) => roleAllows('viewer', action) && !ofTables.has(action)),
);

/** While somebody views as another person nothing can be changed. */
const withViewing = (standing: Standing): Standing =>
  currentViewing() === null
    ? standing
    : new Set(
        actions.filter((action) => allows(standing, action) && (action.endsWith('read') || action === 'table|export')),
      );

export const standingIn = ({ role, isBound }: { role: Role; isBound?: true | undefined }): Standing =>
  withViewing(isBound === true ? boundStanding : role);

/** By what a table says. */
export const standingBy = (given: readonly string[]): Standing =>
  withViewing(new Set(actions.filter((action) => given.includes(action))));
