// One automation: what starts it, its steps, trying it, turning it on, and its runs.
import {
  activateAutomation,
  type Automation,
  deactivateAutomation,
  deleteAutomation,
  discardAutomationDraft,
  updateAutomation,
} from '@rowhouse/contract/automation.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { MoreHorizontal, Pencil, Power, Trash2, Undo2, Zap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { queryClient } from '../app/query-client.ts';
import { awayFrom } from '../app/from-here.ts';
import { Page } from '../frame/page.tsx';
import { peopleQuery, tablesQuery } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Mark } from '../ui/mark.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { sentence } from '../ui/problem.ts';
import { Section } from '../ui/section.tsx';
import { fullTime } from '../ui/time.ts';
import { automationQuery, automationsQuery } from './queries.ts';
import { RunsSection } from './runs-section.tsx';
import { StepList } from './step-list.tsx';
import { TestSection } from './test-section.tsx';
import { TriggerForm } from './trigger-form.tsx';
import { tableOfTrigger } from './sources.ts';
import { useBaseFields, useFieldNames } from './use-base-fields.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { stateWords } from './words.ts';

const savingWords: Record<DraftState['saving'], string> = {
  saved: 'All changes are saved as a draft.',
  saving: 'Saving…',
  failed: 'Not saved.',
};

const stateOf = ({ state, hasDraft, published }: Automation): string => {
  if (state === 'on') return hasDraft ? 'The published version runs. Publish your changes to use them.' : 'It runs.';
  return published === null ? 'It does not run yet.' : 'It does not run.';
};

interface OfAutomation {
  baseId: string;
  automation: Automation;
}

const StateSection = ({ baseId, automation, edited }: OfAutomation & { edited: DraftState }) => {
  const params = { baseId, automationId: automation.id };
  const take = async (next: Automation): Promise<void> => {
    queryClient.setQueryData(automationQuery(baseId, automation.id).queryKey, next);
    await queryClient.invalidateQueries({ queryKey: automationsQuery(baseId).queryKey });
  };
  const activate = useMutation({
    mutationFn: async () => {
      await edited.settled();
      return call(activateAutomation, { params });
    },
    onSuccess: take,
  });
  const deactivate = useMutation({ mutationFn: () => call(deactivateAutomation, { params }), onSuccess: take });
  const discard = useMutation({
    mutationFn: async () => {
      await edited.settled();
      return call(discardAutomationDraft, { params });
    },
    async onSuccess(next) {
      edited.replace(next);
      await take(next);
    },
  });
  const { label, tone } = stateWords[automation.state];
  const isOn = automation.state === 'on';
  const { issues } = automation;
  return (
    <Section
      title="State"
      actions={
        <div className="flex flex-wrap gap-2">
          {automation.published !== null && automation.hasDraft && (
            <Button size="small" icon={<Undo2 size={15} />} busy={discard.isPending} onClick={() => discard.mutate()}>
              Discard changes
            </Button>
          )}
          {isOn && (
            <Button
              size="small"
              icon={<Power size={15} />}
              busy={deactivate.isPending}
              onClick={() => deactivate.mutate()}
            >
              Turn off
            </Button>
          )}
          {(!isOn || automation.hasDraft) && (
            <Button
              size="small"
              look="primary"
              icon={<Zap size={15} />}
              busy={activate.isPending}
              onClick={() => activate.mutate()}
            >
              {isOn ? 'Publish changes' : 'Turn on'}
            </Button>
          )}
        </div>
      }
    >
      <div className="flex flex-col gap-2">
        <p className="flex flex-wrap items-center gap-2">
          <Mark tone={tone}>{label}</Mark> {stateOf(automation)}
        </p>
        {!isOn && automation.reason !== undefined && (
          <p role="status" className="rounded-lg bg-danger-soft px-3 py-2 text-danger">
            {sentence(automation.reason)}
          </p>
        )}
        <p className="text-[13px] text-ink-soft">
          {automation.actsAs === undefined
            ? 'When you turn it on, it runs with your rights.'
            : `It runs with the rights of ${automation.actsAs.name}, who turned it on.`}
          {automation.nextTime !== undefined && ` It starts next on ${fullTime(automation.nextTime)}.`}
        </p>
        <p className="text-[13px] text-ink-faint" aria-live="polite">
          {savingWords[edited.saving]}
        </p>
        {issues.length > 0 && (
          <div className="rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
            <p className="font-medium">Before it can be turned on:</p>
            <ul className="list-disc pl-5">
              {issues.slice(0, 10).map(({ path, message }) => (
                <li key={`${path} ${message}`}>{sentence(message)}</li>
              ))}
            </ul>
          </div>
        )}
        <ProblemNote
          error={edited.error ?? (issues.length > 0 ? null : activate.error) ?? deactivate.error ?? discard.error}
        />
      </div>
    </Section>
  );
};

/** Those of the version that runs, and of the draft. */
const Runs = ({ baseId, automation }: OfAutomation) => {
  const { id, trigger, steps, published } = automation;
  const names = useFieldNames(published?.trigger ?? trigger, [...(published?.steps ?? []), ...steps]);
  return <RunsSection baseId={baseId} automationId={id} names={names} />;
};

const Builder = ({ baseId, automation }: OfAutomation) => {
  const edited = useDraft(baseId, automation);
  const { trigger, steps } = edited.draft;
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const people = useQuery(peopleQuery(baseId)).data?.users ?? [];
  const fieldsOf = useBaseFields(trigger, steps);
  const [open, setOpen] = useState<string>();
  const { issues, id } = automation;
  const ofTrigger = issues.filter(({ path }) => path === 'trigger' || path.startsWith('trigger.'));
  return (
    <>
      <StateSection baseId={baseId} automation={automation} edited={edited} />
      <Section title="When" lead="What starts it.">
        <TriggerForm
          baseId={baseId}
          automationId={id}
          trigger={trigger}
          tables={tables}
          fieldsOf={fieldsOf}
          people={people}
          onChange={(next) => edited.change({ trigger: next })}
        />
        {trigger !== null && ofTrigger.length > 0 && (
          <ul className="mt-4 rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
            {ofTrigger.map(({ path, message }) => (
              <li key={path}>{sentence(message)}</li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Then" lead="Steps run one after the other.">
        <StepList
          trigger={trigger}
          steps={steps}
          tables={tables}
          fieldsOf={fieldsOf}
          people={people}
          issues={issues}
          open={open}
          onOpen={setOpen}
          onChange={(next) => edited.change({ steps: next })}
        />
      </Section>
      <TestSection
        baseId={baseId}
        automationId={id}
        tableId={tableOfTrigger(trigger)}
        tables={tables}
        fieldsOf={fieldsOf}
        settled={edited.settled}
      />
    </>
  );
};

export const AutomationPage = () => {
  const { baseId, automationId } = useParams({ from: '/signed-in/base/$baseId/automations/$automationId' });
  const navigate = useNavigate();
  const { data: automation, error } = useQuery(automationQuery(baseId, automationId));
  const [shown, setShown] = useState('build');
  const [asking, setAsking] = useState<'name' | 'delete' | null>(null);
  if (automation === undefined) return error === null ? <Loading /> : <ErrorPage error={error} />;
  const params = { baseId, automationId };
  const { queryKey } = automationQuery(baseId, automationId);
  return (
    <Page
      title={automation.name}
      actions={
        <div className="flex items-center gap-2">
          <Choice
            label="Shown"
            value={shown}
            options={[
              { value: 'build', label: 'Steps' },
              { value: 'runs', label: 'Runs' },
            ]}
            onValue={setShown}
          />
          <Menu
            align="end"
            trigger={
              <IconButton label={`More for ${automation.name}`}>
                <MoreHorizontal size={16} />
              </IconButton>
            }
          >
            <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking('name')}>
              Rename
            </MenuItem>
            <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking('delete')}>
              Delete
            </MenuItem>
          </Menu>
        </div>
      }
    >
      <div className="flex flex-col gap-6">
        {shown === 'build' ? (
          <Builder key={automationId} baseId={baseId} automation={automation} />
        ) : (
          <Runs baseId={baseId} automation={automation} />
        )}
      </div>
      {asking === 'name' && (
        <NameDialog
          title="Rename"
          initial={automation.name}
          action="Rename"
          onClose={() => setAsking(null)}
          onSubmit={async (name) => {
            queryClient.setQueryData(queryKey, await call(updateAutomation, { params, body: { name } }));
            await queryClient.invalidateQueries({ queryKey: automationsQuery(baseId).queryKey });
          }}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete ${automation.name}?`}
          description="It stops at once. It can be restored from the trash of the base, switched off."
          action="Delete automation"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await call(deleteAutomation, { params });
            await awayFrom(automation.id, () =>
              navigate({ to: '/base/$baseId/automations', params: { baseId }, replace: true }),
            );
            queryClient.removeQueries({ queryKey });
            await queryClient.invalidateQueries({ queryKey: automationsQuery(baseId).queryKey });
          }}
        />
      )}
    </Page>
  );
};
