import { getSpaceSecondFactor, setSpaceSecondFactor } from '@rowhouse/contract/second-factor.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';

/** For owners: what the space demands of its members. */
export const SpaceSecurity = ({ spaceId }: { spaceId: string }) => {
  const params = { spaceId };
  const queryKey = ['spaces', spaceId, 'second-factor'];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getSpaceSecondFactor, { params, signal }),
  });
  const save = useMutation({
    mutationFn: (isDemanded: boolean) => call(setSpaceSecondFactor, { params, body: { isDemanded } }),
    onSuccess: (next) => queryClient.setQueryData(queryKey, next),
  });
  const without = data?.membersWithout ?? 0;
  return (
    <Section title="Security">
      <div className="flex max-w-2xl flex-col gap-3">
        <label className="flex items-start gap-3">
          <input
            type="checkbox"
            className="mt-1 size-4 accent-accent"
            disabled={data === undefined || save.isPending}
            checked={(save.isPending ? save.variables : data?.isDemanded) ?? false}
            onChange={(event) => save.mutate(event.target.checked)}
          />
          <span>
            <span className="font-medium">Require two-factor sign-in</span>
            <span className="block text-ink-soft">
              Members without one are shut out, also by their access tokens, until they set one up.{' '}
              {without === 0
                ? 'Everybody has one.'
                : `${without} ${without === 1 ? 'member has' : 'members have'} none.`}
            </span>
          </span>
        </label>
        <ProblemNote error={error ?? save.error} />
      </div>
    </Section>
  );
};
