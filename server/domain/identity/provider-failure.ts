// Why a sign-in through a provider failed. People are told what they can do about it; the reason is for the log of the operator.
import type { SignInProblem } from '@rowhouse/contract/identity.ts';
import { AuthorizationResponseError, ClientError } from 'openid-client';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { Environment } from '../../context.ts';

export class ProviderFailure extends Error {
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderFailure';
    this.problem = problem;
  }
}

/** Not what the provider says, but that it says nothing of use. */
const silences = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

const chainOf = (error: unknown): Error[] => {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  return chain;
};

/** Of anything that was thrown while a provider was asked. */
export const failureOf = (error: unknown): ProviderFailure => {
  const chain = chainOf(error);
  const own = chain.find((one) => one instanceof ProviderFailure);
  if (own !== undefined) return own;
  const problem = chain.some((one) => one instanceof AuthorizationResponseError)
    ? 'declined'
    : chain.some((one) => one instanceof ClientError && silences.has(one.code ?? ''))
      ? 'unavailable'
      : 'untrusted';
  return new ProviderFailure(problem, chain[0]?.message ?? String(error), error);
};

const isWarned = (level: string): boolean => !['error', 'fatal', 'silent'].includes(level);

export const logFailure = (
  { logStream, config }: Pick<Environment, 'logStream' | 'config'>,
  provider: SignInProvider,
  failure: ProviderFailure,
): void => {
  if (!isWarned(config.logLevel) || failure.problem === 'declined') return;
  const reasons = chainOf(failure).map(({ message }) => message.slice(0, 300));
  logStream.write(
    `${JSON.stringify({ level: 40, time: Date.now(), msg: `Signing in through ${provider.id} failed`, problem: failure.problem, reasons })}\n`,
  );
};

/** What the operator may want to change; nobody is kept out by it. */
export const logNote = ({ logStream, config }: Pick<Environment, 'logStream' | 'config'>, msg: string): void => {
  if (isWarned(config.logLevel)) logStream.write(`${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`);
};
