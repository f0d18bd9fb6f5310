// Whose directory calls: the organisation of the token. Every answer, also of what went wrong, is one of SCIM.
import type { IncomingHttpHeaders } from 'node:http';
import type { Doer } from '../../catalog/audit.sql.ts';
import type { PublicContext } from '../../context.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import type { Answer } from '../../endpoint/route.ts';
import { faultAnswer, ScimFault } from './scim-fault.ts';
import { useToken } from './scim.sql.ts';

export interface Tenant {
  organizationId: string;
  /** Of the members that the directory puts into groups. */
  source: string;
  doer: Doer;
}

const tokenForm = /^Bearer scim_(sct[0-9A-Za-z]{16})_([0-9A-Za-z]{40})$/;

const tenantOf = async ({ db, from }: PublicContext, { authorization }: IncomingHttpHeaders): Promise<Tenant> => {
  const [, id, secret] = tokenForm.exec(authorization ?? '') ?? [];
  const organizationId =
    id === undefined || secret === undefined ? undefined : await useToken(db, id, hashSecret(secret));
  if (id === undefined || organizationId === undefined) throw new ScimFault(401, 'The token is missing or unknown');
  const doer: Doer = { ...from, userId: null, via: 'token', credentialId: id };
  return { organizationId, source: `scim:${organizationId}`, doer };
};

export const forTenant = async (
  context: PublicContext,
  headers: IncomingHttpHeaders,
  act: (tenant: Tenant) => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await act(await tenantOf(context, headers));
  } catch (error) {
    const answer = faultAnswer(error);
    if (answer === undefined) throw error;
    return answer;
  }
};
