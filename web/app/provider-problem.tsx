// Why signing in or linking through a provider did not work, in the words of somebody who can do something about it.
import { type SignInProblem, signInProblems } from '@rowhouse/contract/identity.ts';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { signInOptionsQuery } from './me.ts';

interface ProblemSearch {
  problem?: SignInProblem | undefined;
  provider?: string | undefined;
}

// Named even when it is undefined: keys that are left out are kept as they came.
export const problemSearch = (search: Record<string, unknown>): ProblemSearch => {
  const { problem, provider } = search;
  return {
    problem:
      typeof problem === 'string' && Object.hasOwn(signInProblems, problem) ? (problem as SignInProblem) : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
  };
};

const words: Record<SignInProblem, (name: string) => { title: string; advice: string }> = {
  unavailable: (name) => ({
    title: `${name} does not answer at the moment.`,
    advice: 'Try again in a minute, or sign in another way.',
  }),
  declined: (name) => ({ title: `${name} did not sign you in.`, advice: 'Try again if you left it by mistake.' }),
  untrusted: (name) => ({
    title: `The answer of ${name} could not be trusted.`,
    advice: 'Try again. If it happens again, tell your administrator.',
  }),
  over: () => ({
    title: 'This sign-in is over.',
    advice: 'It took too long, or began in another browser. Start again.',
  }),
  unverified: (name) => ({
    title: `${name} does not say that your e-mail address is verified.`,
    advice: 'Verify it there first, or ask your administrator.',
  }),
  domain: (name) => ({
    title: `Your e-mail address cannot sign in with ${name}.`,
    advice: 'Use an address of your organisation.',
  }),
  unknown: (name) => ({
    title: 'You have no account here.',
    advice: `${name} does not make one. Ask your administrator or the person who invited you.`,
  }),
  taken: (name) => ({
    title: 'Your e-mail address has an account here already.',
    advice: `Sign in as before, then link ${name} on your account page.`,
  }),
  deactivated: () => ({ title: 'This account was deactivated.', advice: 'Ask your administrator.' }),
  elsewhere: () => ({
    title: 'People with your address sign in through another provider.',
    advice: 'Choose the one of your organisation.',
  }),
  weak: (name) => ({
    title: `${name} did not ask for a second factor.`,
    advice: 'Set one up there, then sign in again.',
  }),
  linked: (name) => ({
    title: `This identity of ${name} belongs to another account.`,
    advice: 'Sign in to that one and unlink it first.',
  }),
  changed: () => ({
    title: 'Nothing was linked.',
    advice: 'You were signed out, or somebody else signed in, in the meantime.',
  }),
};

export const ProviderProblem = ({ problem, provider }: ProblemSearch) => {
  const providers = useQuery(signInOptionsQuery).data?.providers;
  if (problem === undefined) return null;
  const { title, advice } = words[problem](providers?.find(({ id }) => id === provider)?.name ?? 'The provider');
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg bg-danger-soft px-3 py-2.5 text-danger">
      <TriangleAlert size={17} className="mt-0.5 shrink-0" aria-hidden />
      <p className="min-w-0 break-words">
        <strong className="font-medium">{title}</strong> {advice}
      </p>
    </div>
  );
};
