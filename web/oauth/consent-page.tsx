// An application asks to act in someone's name: who it is, what it wants, yes or no.
import { decideOauthRequest, getOauthDecision } from '@rowhouse/contract/oauth-server.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { useMe } from '../app/me.ts';
import { useTitle } from '../app/brand.ts';
import { Loading } from '../ui/loading.tsx';
import { ConsentCard } from './consent-card.tsx';

export const ConsentPage = () => {
  useTitle('Allow an application');
  const me = useMe();
  const { transaction_id: transactionId } = useSearch({ from: '/signed-in/oauth/decision' });
  const asked = useQuery({
    queryKey: ['oauth-decision', transactionId],
    queryFn: ({ signal }) => call(getOauthDecision, { params: { transactionId }, signal }),
    staleTime: Infinity,
  });
  const decide = useMutation({
    mutationFn: (allow: boolean) =>
      call(decideOauthRequest, { body: { transaction_id: transactionId, ...(allow ? {} : { cancel: true }) } }),
    onSuccess: ({ redirectUrl }) => window.location.assign(redirectUrl),
  });
  if (asked.error !== null) return <ErrorPage error={asked.error} />;
  if (asked.data === undefined) return <Loading />;
  const { homepage, redirectUri } = asked.data;
  return (
    <ConsentCard
      asked={asked.data}
      me={me}
      busy={decide.isPending}
      error={decide.error}
      onDecide={(allow) => decide.mutate(allow)}
    >
      You will be sent to {redirectUri}. Its homepage is {homepage}.
    </ConsentCard>
  );
};
