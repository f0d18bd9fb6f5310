// Whether e-mails arrive.
import { sendTestMail } from '@rowhouse/contract/admin-health.ts';
import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { FormSection } from '../ui/form-section.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';

export const MailSection = ({ isOn }: { isOn: boolean }) => {
  const me = useMe();
  const [to, setTo] = useState(me.email);
  const send = useMutation({ mutationFn: () => call(sendTestMail, { body: { to: to.trim() } }) });
  if (!isOn)
    return (
      <Section title="E-mail">
        <p className="text-ink-soft">
          Off: addresses are not verified, and forgotten passwords need a link from you. To turn it on, start the server
          with <code className="font-mono text-[13px]">SMTP_URL</code>.
        </p>
      </Section>
    );
  return (
    <FormSection
      title="E-mail"
      lead="On. Send an e-mail to see whether it arrives."
      action="Send test e-mail"
      busy={send.isPending}
      disabled={to.trim() === ''}
      error={send.error}
      onSubmit={() => send.mutate()}
    >
      <TextField
        label="To"
        type="email"
        required
        maxLength={254}
        value={to}
        error={
          send.data?.isAccepted === false ? `The mail server did not take it: ${send.data.error ?? ''}` : undefined
        }
        onChange={(event) => setTo(event.target.value)}
      />
      {send.data?.isAccepted === true && (
        <p role="status" className="flex items-center gap-2 text-accent">
          <MailCheck size={16} aria-hidden /> The mail server took it. Look whether it arrived at {send.data.to}.
        </p>
      )}
    </FormSection>
  );
};
