import { signIn } from '@rowhouse/contract/auth.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { signInWithSecondFactor } from '@rowhouse/contract/second-factor.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFreshBrand } from '../app/brand.ts';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { AuthFrame, AuthLink } from './auth-frame.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { codeField, OneFieldForm } from './one-field-form.tsx';
import { type Me, signInOptionsQuery } from '../app/me.ts';
import { MailedCode } from './mailed-code.tsx';
import { ProviderProblem } from '../app/provider-problem.tsx';
import { useInvitationLead } from './invitation.ts';
import { OrganizationForm } from './organization-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { useEnter } from './use-enter.ts';

const secondFactorTokenOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? (error.data as { secondFactorToken?: string } | undefined)?.secondFactorToken : undefined;

export const SignInPage = () => {
  const search = useSearch({ from: '/login' });
  const enter = useEnter(search.redirect);
  const invitation = useInvitationLead(search.redirect);
  const options = useQuery(signInOptionsQuery).data;
  const brand = useFreshBrand();
  // Anyone who follows an invitation can.
  const canSignUp =
    options === undefined ||
    options.signUp === 'open' ||
    (options.signUp === 'invited' && search.redirect?.startsWith('/invite') === true);
  // Somebody who comes back from a provider has the first step behind them.
  const begun = useLocation({ select: ({ hash }) => /^second-factor=([\w-]+)$/.exec(hash)?.[1] });
  const [token, setToken] = useState<string | null>(begun ?? null);
  const [byCode, setByCode] = useState(false);
  const attempt = async (first: () => Promise<Me>): Promise<void> => {
    try {
      await enter(await first());
    } catch (error) {
      const next = secondFactorTokenOf(error);
      if (next === undefined) throw error;
      setToken(next);
    }
  };
  const [isOfOrganization, setOfOrganization] = useState(false);
  if (token !== null) {
    return (
      <AuthFrame
        title="Second step"
        lead="Enter the code that your authenticator app shows."
        footer={
          <Button look="ghost" onClick={() => setToken(null)}>
            Back
          </Button>
        }
      >
        <OneFieldForm
          {...codeField}
          hint="If you cannot use the app, enter a recovery code."
          action="Continue"
          onSubmit={async (code) => enter(await call(signInWithSecondFactor, { body: { token, code } }))}
        />
      </AuthFrame>
    );
  }
  if (byCode) return <MailedCode onSignIn={attempt} onBack={() => setByCode(false)} />;
  if (isOfOrganization)
    return (
      <AuthFrame
        title="Sign in with your organisation"
        lead="Your address says which one."
        footer={
          <Button look="ghost" onClick={() => setOfOrganization(false)}>
            Back
          </Button>
        }
      >
        <OrganizationForm wanted={search.redirect} />
      </AuthFrame>
    );
  return (
    <AuthFrame
      title={`Welcome to ${brand}`}
      lead={invitation === undefined ? 'Sign in to your tables.' : `${invitation} Sign in to accept.`}
      footer={
        <>
          {canSignUp ? (
            <>
              New here?{' '}
              <AuthLink to="/signup" search={{ redirect: search.redirect }}>
                Create an account
              </AuthLink>
            </>
          ) : (
            'New accounts need an invitation.'
          )}
          {options?.sendsEmail === true && (
            <>
              <br />
              <AuthLink to="/forgot-password">Forgot password?</AuthLink>
            </>
          )}
        </>
      }
    >
      {search.problem !== undefined && (
        <div className="mb-4">
          <ProviderProblem problem={search.problem} provider={search.provider} />
        </div>
      )}
      <ProviderButtons wanted={search.redirect} />
      <CredentialsForm action="Sign in" isNew={false} onSubmit={(body) => attempt(() => call(signIn, { body }))} />
      {options?.sendsEmail === true && (
        <Button look="ghost" className="mt-3 w-full" onClick={() => setByCode(true)}>
          E-mail me a code instead
        </Button>
      )}
      {options?.organizations === true && (
        <Button look="ghost" className="mt-2 w-full" onClick={() => setOfOrganization(true)}>
          Sign in with your organisation
        </Button>
      )}
    </AuthFrame>
  );
};
