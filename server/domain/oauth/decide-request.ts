import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { decideOauthRequest } from '@rowhouse/contract/oauth-server.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { hashSecret } from '../../endpoint/credential.ts';
import { Answer } from '../../endpoint/route.ts';
import { withParameters } from './address.ts';
import { unknownTransaction } from './get-decision.ts';
import { issueCode } from './issue-code.ts';
import { takeTransaction } from './transaction.sql.ts';

const isDeclined = (cancel: BodyOf<typeof decideOauthRequest>['cancel']): boolean =>
  cancel !== undefined && cancel !== false && cancel !== 'false';

/**
 * A page that uses `fetch` cannot follow a redirect to another site, so JSON is answered with JSON;
 * a plain form is redirected.
 */
export const decideRequest = async (
  context: Context,
  body: BodyOf<typeof decideOauthRequest>,
  contentType: string | undefined,
): Promise<Answer> => {
  const { principal, db, now } = context;
  // A token may be allowed less than its user; with consent it could get itself more.
  if (principal.kind !== 'session') throw forbidden('Only a signed-in user can allow an application something');
  const redirectUrl = await retriedTransaction(db, async (tx) => {
    const request = await takeTransaction(tx, hashSecret(body.transaction_id), principal.userId, now());
    if (request === undefined) throw unknownTransaction();
    if (!isDeclined(body.cancel)) {
      await writeAudit(
        tx,
        doerOf(context),
        'application.allowed',
        { member: principal.userId },
        { clientId: request.clientId, scopes: request.scopes },
      );
      return issueCode(context, tx, request, principal.userId, true);
    }
    return withParameters(request.redirectUri, {
      error: 'access_denied',
      error_description: 'The user declined',
      state: request.state,
      iss: context.publicUrl(),
    });
  });
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm
    ? new Answer({ status: 302, headers: { location: redirectUrl } })
    : new Answer({ body: { redirectUrl } });
};
