// What everybody may do, and what administrators keep to themselves.
import { type Setting, updateSetting } from '@rowhouse/contract/setting.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { showToast } from '../ui/toast.ts';
import { reloadSettings, settingsQuery } from './settings-query.ts';

type Decision = 'disallowSignUp' | 'disallowSpaceCreation' | 'disallowSpaceInvitation';

const decisions: readonly { key: Decision; title: string; meaning: string }[] = [
  {
    key: 'disallowSignUp',
    title: 'Anyone can sign up',
    meaning: 'Otherwise only invited people can create an account. Existing accounts stay.',
  },
  {
    key: 'disallowSpaceCreation',
    title: 'Everyone can create spaces',
    meaning: 'Otherwise only administrators can. New accounts still get a space of their own.',
  },
  {
    key: 'disallowSpaceInvitation',
    title: 'Everyone can invite people to their spaces and bases',
    meaning: 'Otherwise only administrators can invite people or add them.',
  },
];

export const DecisionsSection = ({ setting }: { setting: Setting }) => {
  const save = useMutation({
    mutationFn: async ({ key, allowed }: { key: Decision; allowed: boolean }) => {
      await call(updateSetting, { body: { [key]: !allowed } });
      await reloadSettings();
      const now = await queryClient.fetchQuery(settingsQuery);
      if (now[key] === allowed)
        showToast({
          kind: 'problem',
          title: 'Sign-up stays closed.',
          detail: 'ROWHOUSE_SIGNUP closes it where the server is started: set it to open there first.',
        });
    },
  });
  const isAllowed = (key: Decision): boolean =>
    save.isPending && save.variables.key === key ? save.variables.allowed : !setting[key];
  return (
    <Section title="What people may do">
      <div className="flex max-w-2xl flex-col gap-4">
        {decisions.map(({ key, title, meaning }) => (
          <label key={key} className="flex items-start gap-3">
            <input
              type="checkbox"
              className="mt-1 size-4 accent-accent"
              disabled={save.isPending}
              checked={isAllowed(key)}
              onChange={(event) => save.mutate({ key, allowed: event.target.checked })}
            />
            <span>
              <span className="font-medium">{title}</span>
              <span className="block text-ink-soft">{meaning}</span>
            </span>
          </label>
        ))}
        <ProblemNote error={save.error} />
      </div>
    </Section>
  );
};
