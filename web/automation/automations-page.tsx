// The automations of a base: which run, how the last run went, and what keeps one from running.
import { type AutomationSummary, createAutomation } from '@rowhouse/contract/automation.ts';
import { allows, standingIn } from '../app/standing.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Plus, Zap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fromHere } from '../app/from-here.ts';
import { Page } from '../frame/page.tsx';
import { baseQuery, tablesQuery } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { Mark } from '../ui/mark.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { sentence } from '../ui/problem.ts';
import { timeAgo } from '../ui/time.ts';
import { automationsQuery, lastRunQuery } from './queries.ts';
import { runWords, stateWords, triggerWords } from './words.ts';

const LastRun = ({ baseId, id }: { baseId: string; id: string }) => {
  const run = useQuery(lastRunQuery(baseId, id)).data;
  if (run === undefined) return null;
  if (run === null) return <span>Has not run yet</span>;
  const { label, tone } = runWords[run.state];
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      Last run {timeAgo(run.createdTime)} <Mark tone={tone}>{label}</Mark>
    </span>
  );
};

const Row = ({
  baseId,
  automation,
  mayChange,
}: {
  baseId: string;
  automation: AutomationSummary;
  mayChange: boolean;
}) => {
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const { id, name, state, reason, triggerType, triggerTableId, hasDraft } = automation;
  const table = tables.find((one) => one.id === triggerTableId)?.name;
  const words = triggerType === undefined ? 'Nothing starts it yet' : triggerWords[triggerType].label;
  return (
    <li className="relative px-5 py-4 hover:bg-[var(--hover)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {mayChange ? (
          <Link
            to="/base/$baseId/automations/$automationId"
            params={{ baseId, automationId: id }}
            className="min-w-0 font-medium break-words after:absolute after:inset-0"
          >
            {name}
          </Link>
        ) : (
          <span className="font-medium break-words">{name}</span>
        )}
        <Mark tone={stateWords[state].tone}>{stateWords[state].label}</Mark>
        {state === 'on' && hasDraft && <Mark tone="warn">Unpublished changes</Mark>}
      </div>
      <p className="text-ink-soft">
        {words}
        {table === undefined ? '' : ` in ${table}`}
      </p>
      {mayChange && (
        <p className="text-[13px] text-ink-faint">
          <LastRun baseId={baseId} id={id} />
        </p>
      )}
      {state !== 'on' && reason !== undefined && <p className="mt-1 text-[13px] text-danger">{sentence(reason)}</p>}
    </li>
  );
};

export const AutomationsPage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const navigate = useNavigate();
  const base = useQuery(baseQuery(baseId)).data;
  const automations = useQuery(automationsQuery(baseId));
  const [isNaming, setNaming] = useState(false);
  if (base === undefined) return <Loading />;
  const mayChange = allows(standingIn(base), 'automation|update');
  const add = mayChange && (
    <Button look="primary" icon={<Plus size={16} />} onClick={() => setNaming(true)}>
      New automation
    </Button>
  );
  return (
    <Page
      title="Automations"
      lead="When something happens, the steps you choose are done for you."
      actions={automations.data !== undefined && automations.data.length > 0 && add}
    >
      <ProblemNote error={automations.error} />
      {automations.isPending && <Loading />}
      {automations.data?.length === 0 && (
        <EmptyState icon={<Zap size={20} />} title="No automations yet" action={add}>
          {mayChange
            ? 'Send an e-mail when an order arrives, ask for an approval, write a report every Monday.'
            : 'Owners and creators of the base can create them.'}
        </EmptyState>
      )}
      {automations.data !== undefined && automations.data.length > 0 && (
        <ul
          aria-label="Automations"
          className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface shadow-card"
        >
          {automations.data.map((automation) => (
            <Row key={automation.id} baseId={baseId} automation={automation} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {isNaming && (
        <NameDialog
          title="New automation"
          initial="Automation"
          action="Create"
          onClose={() => setNaming(false)}
          onSubmit={async (name) => {
            const leadOn = fromHere();
            const made = await call(createAutomation, { params: { baseId }, body: { name } });
            await queryClient.invalidateQueries({ queryKey: automationsQuery(baseId).queryKey });
            await leadOn(() =>
              navigate({ to: '/base/$baseId/automations/$automationId', params: { baseId, automationId: made.id } }),
            );
          }}
        />
      )}
    </Page>
  );
};
