// Errors in words: what happened, and what to do about it.
import { ApiError, type Issue } from '@rowhouse/contract/error.ts';

interface Problem {
  title: string;
  advice: string;
}

const advice: Partial<Record<ApiError['code'], string>> = {
  unauthorized: 'Sign in again.',
  payment_required: 'Ask an owner of the space about its plan.',
  restricted_resource: 'Ask an owner of the space for a different role.',
  not_found: 'It may have been deleted, or you have no access to it. Go back and try again.',
  conflict: 'Check the current state and try again.',
  precondition_failed: 'Someone else changed it. Reload and try again.',
  payload_too_large: 'Send less at once.',
  unprocessable_entity: 'Ask the operator of this server.',
  too_many_requests: 'Wait a moment, then try again.',
  internal_server_error: 'Try again. If it happens again, tell your administrator.',
  database_connection_unavailable: 'Try again in a moment.',
  service_unavailable: 'Try again in a moment.',
};

/** "The role viewer is not allowed to operate record|update on tbl…" is for programs. */
const roleWords = (message: string): string | undefined => {
  const role = /^The role (\w+) is not allowed to operate /.exec(message)?.[1];
  return role === undefined ? undefined : `As ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role} you cannot do this`;
};

/** "Base bse… not found" names an id that nobody knows it by. */
const goneWords = (message: string): string | undefined => {
  const what = /^(Space|Base|Table|View|Field|Record|Folder) \w+ not found$/.exec(message)?.[1]?.toLowerCase();
  return what === undefined ? undefined : `You no longer have access to this ${what}, or it was deleted`;
};

/** What the server found fault with, each with the place it names. */
export const issuesOf = (error: unknown): Issue[] => {
  if (!(error instanceof ApiError)) return [];
  const data = error.data as { issues?: Issue[] } | undefined;
  return Array.isArray(data?.issues) ? data.issues : [];
};

export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** No answer at all: what `fetch` throws then. */
export const isUnreachable = (error: unknown): boolean => error instanceof TypeError;

export const problemOf = (error: unknown): Problem => {
  if (error instanceof ApiError) {
    const [first] = issuesOf(error);
    if (first !== undefined) {
      return {
        title: sentence(first.message),
        // "Expected at most 100 character(s)" says it already.
        advice:
          first.expected === undefined || first.message.includes(first.expected)
            ? 'Change it and try again.'
            : `Expected: ${first.expected}.`,
      };
    }
    const [cell] = (error.data as { errors?: { message: string }[] } | undefined)?.errors ?? [];
    // The place in the request means nothing to people: the cell is in front of them.
    if (cell !== undefined) return { title: sentence(cell.message), advice: 'Change it and try again.' };
    if ((error.data as { secondFactor?: string } | undefined)?.secondFactor === 'demanded')
      return {
        title: 'This space requires two-factor sign-in.',
        advice: 'Set up a second factor under Account to get back in.',
      };
    return {
      title: sentence(
        roleWords(error.message) ?? goneWords(error.message) ?? error.message.replace(/^Validation error: /, ''),
      ),
      advice:
        goneWords(error.message) === undefined
          ? (advice[error.code] ?? 'Change it and try again.')
          : 'Ask an owner to share it with you or to restore it.',
    };
  }
  if (isUnreachable(error))
    return {
      title: 'The server cannot be reached.',
      advice: 'Nothing was lost. Check your connection and continue when it is back.',
    };
  return {
    title: 'Something went wrong on this page.',
    advice: 'Reload the page. If it happens again, tell your administrator.',
  };
};

export const problemText = (error: unknown): string => {
  const problem = problemOf(error);
  return `${problem.title} ${problem.advice}`;
};

/** True for answers that will be the same next time. */
export const isFinal = (error: unknown): boolean => error instanceof ApiError && error.passes === 'no';
