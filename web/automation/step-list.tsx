// The steps, one below the other; those inside of a branch or a loop stand in it. A step opens to be edited.
import { type Step, type StepType, stepTypes } from '@rowhouse/contract/automation-definition.ts';
import { ArrowDown, ArrowUp, ChevronRight, MoreHorizontal, Plus, Trash2 } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Mark } from '../ui/mark.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { OptionPopover } from '../ui/option-popover.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { Issue } from '@rowhouse/contract/error.ts';
import { sourcesAt } from './sources.ts';
import { StepForm, type StepFormProps } from './step-form.tsx';
import {
  type Branch,
  branchesOf,
  freeStepId,
  insertStep,
  moveStep,
  newStep,
  pathOf,
  type StepPlace,
  removeStep,
  replaceStep,
  stepsBefore,
  stepsIn,
} from './steps.ts';
import { tableOfTrigger } from './sources.ts';
import { stepWords } from './words.ts';
import type { Trigger } from '@rowhouse/contract/automation-definition.ts';

interface StepListProps extends Pick<StepFormProps, 'tables' | 'fieldsOf' | 'people'> {
  trigger: Trigger | null;
  /** All of the automation. */
  steps: readonly Step[];
  issues: readonly Issue[];
  open: string | undefined;
  onOpen: (stepId: string | undefined) => void;
  onChange: (steps: Step[]) => void;
}

const branchWords: Record<Branch, string> = { then: 'If it is met', else: 'If not', steps: 'For each of them' };

const AddStep = ({ isSmall, onPick }: { isSmall: boolean; onPick: (type: StepType) => void }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <Button size={isSmall ? 'small' : 'medium'} icon={<Plus size={16} />} className="self-start">
          Add a step
        </Button>
      </Radix.Trigger>
      <OptionPopover
        label="Steps"
        options={stepTypes.map((value) => ({ value, ...stepWords[value] }))}
        selected={[]}
        onPick={(type) => {
          setOpen(false);
          onPick(type as StepType);
        }}
      />
    </Radix.Root>
  );
};

const withPoint = (path: string): string[] => [path, `${path}.`, `${path}[`];

/** What the server found in this step, and not in those inside of it. */
const issuesOfStep = (issues: readonly Issue[], path: string, step: Step): Issue[] =>
  issues.filter(
    (issue) =>
      withPoint(path).some((beginning) =>
        beginning === path ? issue.path === path : issue.path.startsWith(beginning),
      ) && !branchesOf(step).some((branch) => issue.path.startsWith(`${path}.${branch}[`)),
  );

const StepCard = ({
  place,
  number,
  list,
  ...props
}: StepListProps & { place: StepPlace; number: number; list: readonly Step[] }) => {
  const { trigger, steps, tables, fieldsOf, people, issues, open, onOpen, onChange } = props;
  const step = list[number] as Step;
  const { label, icon: Icon } = stepWords[step.type];
  const own = issuesOfStep(issues, pathOf(place), step);
  const isOpen = open === step.id;
  const name = step.name !== undefined && step.name !== '' ? step.name : label;
  return (
    <li className="rounded-xl border border-line bg-surface shadow-card">
      <div className="flex items-center gap-2 px-3 py-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? undefined : step.id)}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2.5 text-left"
        >
          <ChevronRight
            size={15}
            aria-hidden
            className={classNames('shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
          />
          <Icon size={17} className="shrink-0 text-accent" aria-hidden />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{name}</span>
            {'tableId' in step && (
              <span className="block truncate text-[13px] text-ink-faint">
                {tables.find(({ id }) => id === step.tableId)?.name ?? 'No table yet'}
              </span>
            )}
          </span>
          {own.length > 0 && <Mark tone="warn">Not complete</Mark>}
        </button>
        <Menu
          align="end"
          trigger={
            <IconButton label={`More for ${name}`}>
              <MoreHorizontal size={16} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<ArrowUp size={16} />}
            disabled={number === 0}
            onSelect={() => onChange(moveStep(steps, place, -1))}
          >
            Move up
          </MenuItem>
          <MenuItem
            icon={<ArrowDown size={16} />}
            disabled={number === list.length - 1}
            onSelect={() => onChange(moveStep(steps, place, 1))}
          >
            Move down
          </MenuItem>
          <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => onChange(removeStep(steps, place))}>
            Remove
          </MenuItem>
        </Menu>
      </div>
      {isOpen && (
        <div className="flex flex-col gap-4 border-t border-line p-4">
          <StepForm
            step={step}
            tables={tables}
            fieldsOf={fieldsOf}
            people={people}
            sources={sourcesAt({ trigger, steps }, place, fieldsOf)}
            finding={stepsBefore(steps, place).flatMap((one) => (one.step.type === 'findRecords' ? [one.step] : []))}
            issueAt={(key) => own.find(({ path }) => path === `${pathOf(place)}.${key}`)?.message}
            onChange={(next) => onChange(replaceStep(steps, place, next))}
          />
          <TextField
            label="Name of the step"
            placeholder={label}
            maxLength={100}
            value={step.name ?? ''}
            onChange={(event) => {
              const { name: _former, ...rest } = step;
              onChange(
                replaceStep(
                  steps,
                  place,
                  (event.target.value === '' ? rest : { ...rest, name: event.target.value }) as Step,
                ),
              );
            }}
          />
          {own.length > 0 && (
            <ul className="rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
              {own.map(({ path, message }) => (
                <li key={`${path} ${message}`}>{message}</li>
              ))}
            </ul>
          )}
        </div>
      )}
      {branchesOf(step).map((branch) => (
        <div
          key={branch}
          role="group"
          aria-label={`${branchWords[branch]}: ${name}`}
          className="border-t border-line bg-canvas p-3 last:rounded-b-xl"
        >
          <p className="mb-2 text-[13px] font-medium text-ink-soft">{branchWords[branch]}</p>
          <Steps {...props} list={stepsIn(step, branch)} around={[...place, branch]} />
        </div>
      ))}
    </li>
  );
};

const Steps = ({ list, around, ...props }: StepListProps & { list: readonly Step[]; around: StepPlace }) => {
  const { trigger, steps, tables, onOpen, onChange } = props;
  return (
    <div className="flex flex-col gap-2">
      <ol className="flex flex-col gap-2 empty:hidden">
        {list.map((step, at) => (
          <StepCard key={step.id} {...props} list={list} place={[...around, at]} number={at} />
        ))}
      </ol>
      <AddStep
        isSmall={around.length > 0}
        onPick={(type) => {
          const id = freeStepId(steps);
          onChange(
            insertStep(
              steps,
              [...around, list.length],
              newStep(type, id, tableOfTrigger(trigger) ?? tables[0]?.id ?? ''),
            ),
          );
          onOpen(id);
        }}
      />
    </div>
  );
};

export const StepList = (props: StepListProps) => <Steps {...props} list={props.steps} around={[]} />;
