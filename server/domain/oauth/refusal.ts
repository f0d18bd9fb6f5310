// Errors in the words of RFC 6749, which the token and revocation endpoints answer instead of Rowhouse's own.
import { Answer } from '../../endpoint/route.ts';

type RefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'unauthorized_client'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token';

export class Refusal extends Error {
  readonly error: RefusalCode;
  readonly challenge: boolean;

  /** `challenge`: the client tried HTTP Basic, and the answer must name that scheme. */
  constructor(error: RefusalCode, description: string, challenge = false) {
    super(description);
    this.error = error;
    this.challenge = challenge;
  }
}

const answerOf = (refusal: Refusal): Answer =>
  new Answer({
    status: refusal.error === 'invalid_client' ? 401 : 400,
    headers: {
      pragma: 'no-cache',
      ...(refusal.challenge ? { 'www-authenticate': 'Basic realm="Rowhouse", charset="UTF-8"' } : {}),
    },
    body: { error: refusal.error, error_description: refusal.message },
  });

/** Runs the work of a protocol endpoint and turns a refusal into its answer. */
export const answering = async (work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return answerOf(error);
    throw error;
  }
};
