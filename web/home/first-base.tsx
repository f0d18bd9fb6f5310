// The first thing to do: one name, and there is a table.
import { useNavigate } from '@tanstack/react-router';
import { startBase } from './start/start-base.ts';
import { StartForm } from './start/start-form.tsx';
import { fromHere } from '../app/from-here.ts';

export const FirstBase = ({ spaceId }: { spaceId: string }) => {
  const navigate = useNavigate();
  return (
    <section
      aria-labelledby="first-base"
      className="mb-10 rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-8"
    >
      <h2 id="first-base" className="text-[20px] font-semibold tracking-tight">
        What do you want to keep track of?
      </h2>
      <p className="mt-1 mb-5 text-ink-soft">
        Name it and start typing, begin with a template, or import a spreadsheet.
      </p>
      <StartForm
        label="Name"
        placeholder="Repairs, customers, ideas…"
        action="Start"
        onStart={async (name, source) => {
          const leadOn = fromHere();
          const baseId = await startBase(spaceId, name, source);
          await leadOn(() => navigate({ to: '/base/$baseId', params: { baseId } }));
        }}
      />
    </section>
  );
};
