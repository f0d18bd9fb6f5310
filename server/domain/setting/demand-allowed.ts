// What administrators have kept to themselves.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { selectDecisions } from './setting.sql.ts';

const messages = {
  disallowSpaceCreation: 'Only administrators of this instance can create spaces',
  disallowSpaceInvitation: 'Only administrators of this instance can invite people',
} as const;

export const demandAllowed = async (
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  what: keyof typeof messages,
): Promise<void> => {
  if (!principal.isAdmin && (await selectDecisions(db))[what]) throw forbidden(messages[what]);
};
