// What steps did, or would do: state, input, output, error, time.
import type { StepResult } from '@rowhouse/contract/automation.ts';
import { type StepType, stepTypes } from '@rowhouse/contract/automation-definition.ts';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Mark, type Tone } from '../ui/mark.tsx';
import { fullTime } from '../ui/time.ts';
import { type FieldNames, named } from './named.ts';
import { stepWords } from './words.ts';

const states: Record<StepResult['state'], { label: string; tone: Tone }> = {
  success: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'idle' },
};

const isStepType = (type: string): type is StepType => (stepTypes as readonly string[]).includes(type);

export const Data = ({ label, value, names }: { label: string; value: unknown; names: FieldNames }) => (
  <div>
    <p className="mb-1 text-[13px] font-medium text-ink-soft">{label}</p>
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-72 overflow-auto rounded-lg bg-sunken px-3 py-2 font-mono text-[12px] break-all whitespace-pre-wrap"
    >
      {typeof value === 'string' ? value : JSON.stringify(named(value, names), null, 2)}
    </pre>
  </div>
);

const Result = ({ result, names }: { result: StepResult; names: FieldNames }) => {
  const [isOpen, setOpen] = useState(result.state === 'failed');
  const { label, tone } = states[result.state];
  const name = result.name ?? (isStepType(result.type) ? stepWords[result.type].label : result.type);
  return (
    <li style={{ marginLeft: `${Math.min(4, Math.floor(result.path.split('/').length / 2))}rem` }}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-2 py-2 text-left hover:bg-[var(--hover)]"
      >
        <ChevronRight
          size={15}
          aria-hidden
          className={classNames('shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
        />
        <span className="font-medium">{name}</span>
        <Mark tone={tone}>{label}</Mark>
        <span className="ml-auto text-[13px] text-ink-faint">{result.milliseconds.toLocaleString('en')} ms</span>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-3 px-2 pb-4 sm:pl-8">
          {result.error !== undefined && <p className="text-danger">{result.error}</p>}
          <p className="text-[13px] text-ink-faint">
            {fullTime(result.time)}
            {result.attempts > 1 && `, ${result.attempts} attempts`}
          </p>
          {result.input !== undefined && <Data label="Input" value={result.input} names={names} />}
          {result.output !== undefined && <Data label="Output" value={result.output} names={names} />}
        </div>
      )}
    </li>
  );
};

export const StepResults = ({ steps, names }: { steps: readonly StepResult[]; names: FieldNames }) =>
  steps.length === 0 ? (
    <p className="text-ink-soft">No step has run.</p>
  ) : (
    <ol aria-label="Steps that ran" className="divide-y divide-line">
      {steps.map((result) => (
        <Result key={result.path} result={result} names={names} />
      ))}
    </ol>
  );
