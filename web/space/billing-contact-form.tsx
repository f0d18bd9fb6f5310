import { updateBillingDetail } from '@rowhouse/contract/billing.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';

export const BillingContactForm = ({
  spaceId,
  detail,
}: {
  spaceId: string;
  detail: { name: string; email: string };
}) => {
  const [name, setName] = useState(detail.name);
  const [email, setEmail] = useState(detail.email);
  const save = useMutation({
    mutationFn: () =>
      call(updateBillingDetail, { params: { spaceId }, body: { name: name.trim(), email: email.trim() } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['billing', spaceId] });
      showToast({ kind: 'note', title: 'The billing contact was changed.' });
    },
  });
  return (
    <Section title="Billing contact" lead="Who receives the bills.">
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label="Name"
          className="min-w-0 flex-1 basis-44"
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="E-mail"
          type="email"
          className="min-w-0 flex-1 basis-56"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" busy={save.isPending} disabled={name === detail.name && email === detail.email}>
          Save
        </Button>
      </form>
      <div className="mt-3 empty:hidden">
        <ProblemNote error={save.error} />
      </div>
    </Section>
  );
};
