// Limits that hold with the next request of everybody.
import { type Setting, updateSetting } from '@rowhouse/contract/setting.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { FormSection } from '../ui/form-section.tsx';
import { TextAreaField } from '../ui/text-area-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';
import { reloadSettings } from './settings-query.ts';

type Limit = 'invitationsPerHour' | 'sessionIdleHours' | 'sessionHours' | 'auditDays';

const limits: readonly { key: Limit; label: string; hint: string; min: number; max: number }[] = [
  {
    key: 'invitationsPerHour',
    label: 'Invitations per hour',
    hint: 'How many people one account may invite or add.',
    min: 1,
    max: 1_000_000,
  },
  {
    key: 'sessionIdleHours',
    label: 'Sign-ins end unused after (hours)',
    hint: 'Shorter than before: those that are older end at once.',
    min: 1,
    max: 8_760,
  },
  {
    key: 'sessionHours',
    label: 'Sign-ins end in any case after (hours)',
    hint: 'Also when they are used every day.',
    min: 1,
    max: 8_760,
  },
  {
    key: 'auditDays',
    label: 'Audit logs are kept for (days)',
    hint: 'Older entries are removed. What is still to be streamed stays.',
    min: 30,
    max: 3_650,
  },
];

export const LimitsSection = ({ setting }: { setting: Setting }) => {
  const [typed, setTyped] = useState<Record<Limit, string>>(
    () => Object.fromEntries(limits.map(({ key }) => [key, String(setting[key])])) as Record<Limit, string>,
  );
  const changed = limits.filter(({ key }) => typed[key] !== String(setting[key]));
  const save = useMutation({
    mutationFn: () =>
      call(updateSetting, { body: Object.fromEntries(changed.map(({ key }) => [key, Number(typed[key])])) }),
    onSuccess: async () => {
      await reloadSettings();
      showToast({ kind: 'note', title: 'The limits were changed.' });
    },
  });
  return (
    <FormSection
      title="Limits"
      lead="They hold at once, on all servers of this instance."
      action="Save limits"
      busy={save.isPending}
      disabled={changed.length === 0}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      {limits.map(({ key, label, hint, min, max }) => (
        <TextField
          key={key}
          label={label}
          hint={hint}
          type="number"
          required
          min={min}
          max={max}
          step={1}
          value={typed[key]}
          onChange={(event) => setTyped((before) => ({ ...before, [key]: event.target.value }))}
        />
      ))}
    </FormSection>
  );
};

const domainsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => word !== '');

export const DomainsSection = ({ setting }: { setting: Setting }) => {
  const [text, setText] = useState(setting.refusedEmailDomains.join('\n'));
  const wanted = domainsIn(text);
  const save = useMutation({
    mutationFn: () => call(updateSetting, { body: { refusedEmailDomains: wanted } }),
    onSuccess: async () => {
      await reloadSettings();
      showToast({ kind: 'note', title: 'The refused domains were changed.' });
    },
  });
  return (
    <FormSection
      title="Refused domains"
      lead="Addresses there, and below, cannot sign up and are not invited. Accounts that exist stay."
      action="Save domains"
      busy={save.isPending}
      disabled={wanted.join() === setting.refusedEmailDomains.join()}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      <TextAreaField
        label="One domain per line"
        rows={4}
        placeholder="example.com"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormSection>
  );
};
