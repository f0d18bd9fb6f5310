// The first thing to do: one sentence, one name, and there is a table.
import { createBase } from '@rowhouse/contract/base.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { focusIfFree } from '../ui/focus.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';
import { basesQuery } from './spaces-query.ts';

export const FirstBase = ({ spaceId }: { spaceId: string }) => {
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: async () => {
      const base = await call(createBase, { body: { spaceId, name: name.trim() } });
      return call(createTable, { params: { baseId: base.id }, body: { name: name.trim() } }).then((table) => ({ baseId: base.id, tableId: table.id }));
    },
    onSuccess: (params) => navigate({ to: '/base/$baseId/$tableId', params }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: basesQuery.queryKey }),
  });
  return (
    <section aria-labelledby="first-base" className="mb-10 rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-8">
      <h2 id="first-base" className="text-[17px] font-semibold tracking-tight">
        What do you want to keep track of?
      </h2>
      <p className="mt-1 text-ink-soft">Give it a name and you get a table for it: type into it, paste rows from a spreadsheet, invite others later.</p>
      <form
        className="mt-5 flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <TextField label="Name" className="min-w-0 flex-1 basis-60" ref={focusIfFree} required maxLength={255} placeholder="Repairs, customers, ideas…" value={name} onChange={(event) => setName(event.target.value)} />
        <Button look="primary" type="submit" icon={<ArrowRight size={16} />} busy={start.isPending} disabled={name.trim() === ''}>
          Start
        </Button>
      </form>
      <div className="mt-3 empty:hidden">
        <ProblemNote error={start.error} />
      </div>
    </section>
  );
};
