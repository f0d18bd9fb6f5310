// The formula of a field: coloured as it is typed, with fields and functions to complete, what is wrong where it is, and what it gives
// for a record before it is saved.
import { planFieldConvert, planFieldCreate } from '@rowhouse/contract/field-plan.ts';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { call } from '../../app/call.ts';
import { issuesOf, sentence } from '../../ui/problem.ts';
import { classNames } from '../../ui/class-names.ts';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { DateOptions } from '../date/date-options.tsx';
import {
  type Completion,
  completionAt,
  formulaParts,
  type FormulaPart,
  functionAt,
  type Suggestion,
  withFieldNames,
} from './formula-text.ts';
import { withThousands } from '../number/number-format.ts';
import { NumberOptions } from '../number/number-options.tsx';
import { ShowAs, waysToShow } from '../option/show-as.tsx';
import type { FieldForm, FormProps } from '../option/field-form.ts';

const colorOf: Record<FormulaPart['kind'], string> = {
  field: 'text-accent',
  function: 'text-[var(--formula-function,#7c3aed)] dark:text-[#c4a7ff]',
  text: 'text-[#0b7a43] dark:text-[#6fd39b]',
  number: 'text-[#b45309] dark:text-[#f0b35c]',
  comment: 'text-ink-faint italic',
  plain: '',
};

const boxClass =
  'block min-h-24 w-full rounded-lg border px-3 py-2 font-mono text-[13px] leading-5 break-words whitespace-pre-wrap';

/** So long nothing is typed before the server is asked. */
const settleAfter = 250;

const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleAfter);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};

type Kind = 'number' | 'dateTime' | 'string' | 'boolean';

const Colored = ({ text, fault }: { text: string; fault: { start: number; end: number } | undefined }) => (
  <>
    {formulaParts(text).map((part) => {
      const isWrong =
        fault !== undefined &&
        part.start < Math.max(fault.end, fault.start + 1) &&
        fault.start < part.start + part.text.length;
      return (
        <span
          key={part.start}
          className={classNames(colorOf[part.kind], isWrong && 'underline decoration-danger decoration-wavy')}
        >
          {part.text}
        </span>
      );
    })}
    {/* A last line that is empty has a height, too. */}
    {'\n'}
  </>
);

const FormulaEditor = ({ tableId, field, fields, recordId, options, onChange }: FormProps) => {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const others = fields.filter((one) => one.id !== field?.id);
  const [text, setText] = useState(() => withFieldNames(String(options['expression'] ?? ''), fields));
  const [cursor, setCursor] = useState(0);
  const [picked, setPicked] = useState(0);
  const [isClosed, setClosed] = useState(true);
  const asked = useSettled(text);
  const estimate = useQuery({
    queryKey: ['formula-preview', tableId, field?.id, recordId, asked],
    enabled: asked.trim() !== '',
    queryFn: async ({ signal }) => {
      const body = { type: 'formula' as const, options: { expression: asked } };
      const query = recordId === undefined ? {} : { recordId };
      return field === undefined
        ? call(planFieldCreate, { params: { tableId }, query, body, signal })
        : call(planFieldConvert, { params: { tableId, fieldId: field.id }, query, body, signal });
    },
    retry: false,
    gcTime: 0,
  });
  const isCurrent = asked === text && !estimate.isPending;
  const [issue] = isCurrent ? issuesOf(estimate.error) : [];
  const preview = estimate.data?.preview;
  const kind = preview?.cellValueType as Kind | undefined;
  const isList = preview?.isMultipleCellValue === true;

  // What does not fit the result any more goes.
  const formatting = options['formatting'] as { date?: unknown } | undefined;
  const formatKind = formatting === undefined ? undefined : 'date' in formatting ? 'dateTime' : 'number';
  const latest = useRef({ options, onChange });
  latest.current = { options, onChange };
  useEffect(() => {
    if (kind === undefined) return;
    const { options: present, onChange: change } = latest.current;
    const { formatting: format, showAs, ...rest } = present;
    const shown = showAs as { type?: string } | undefined;
    const fits =
      waysToShow(kind, isList)?.some(({ value }) => value === shown?.type) === true &&
      (kind !== 'number' || 'maxValue' in (shown ?? {}) !== isList);
    if ((formatKind === undefined || formatKind === kind) && (shown === undefined || fits)) return;
    change({
      ...rest,
      ...(formatKind === kind && format !== undefined ? { formatting: format } : {}),
      ...(fits ? { showAs } : {}),
    });
  }, [kind, isList, formatKind]);

  const write = (next: string): void => {
    setText(next);
    onChange({ ...options, expression: next });
  };
  const completion: Completion | undefined = isClosed ? undefined : completionAt(text, cursor, others);
  const suggestions = completion?.suggestions ?? [];
  const take = ({ start, insert, cursor: after }: Suggestion): void => {
    if (completion === undefined) return;
    write(text.slice(0, start) + insert + text.slice(completion.end));
    setClosed(true);
    const place = start + after;
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(place, place);
      setCursor(place);
    });
  };
  const keys = (event: KeyboardEvent): void => {
    if (suggestions.length === 0) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setPicked((picked + step + suggestions.length) % suggestions.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(suggestions[picked] ?? (suggestions[0] as Suggestion));
    else if (event.key === 'Escape') setClosed(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const explained = functionAt(text, cursor);
  const error = issue === undefined ? undefined : sentence(issue.message);
  return (
    <>
      <FieldFrame
        id={id}
        label="Formula"
        error={error}
        hint={
          explained === undefined ? undefined : (
            <>
              <code>{`${explained.name}(${explained.values.join(', ')})`}</code> {explained.help}
            </>
          )
        }
      >
        <div className="relative">
          <div aria-hidden className={classNames(boxClass, 'pointer-events-none border-transparent text-ink')}>
            <Colored
              text={text}
              fault={issue?.start === undefined ? undefined : { start: issue.start, end: issue.end ?? issue.start + 1 }}
            />
          </div>
          <textarea
            ref={area}
            id={id}
            role="combobox"
            aria-expanded={suggestions.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={suggestions.length > 0 ? `${id}-${picked}` : undefined}
            aria-invalid={issue !== undefined || undefined}
            aria-describedby={`${id}-more`}
            spellCheck={false}
            autoCapitalize="off"
            maxLength={10_000}
            value={text}
            placeholder="{Price} * {Quantity}"
            className={classNames(
              boxClass,
              'absolute inset-0 h-full resize-none overflow-hidden bg-transparent text-transparent caret-ink outline-none placeholder:text-ink-faint focus:border-accent',
              issue === undefined ? 'border-line' : 'border-danger',
            )}
            onChange={(event) => {
              write(event.target.value);
              setCursor(event.target.selectionStart);
              setPicked(0);
              setClosed(false);
            }}
            onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
            onBlur={() => setClosed(true)}
            onKeyDown={keys}
          />
        </div>
      </FieldFrame>
      {suggestions.length > 0 && (
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label="Suggestions"
          className="-mt-2 max-h-56 overflow-y-auto rounded-lg border border-line p-1"
        >
          {suggestions.map((suggestion, at) => (
            <li
              key={suggestion.label}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === picked}
              className={classNames('cursor-pointer rounded-md px-2 py-1', at === picked && 'bg-accent-soft')}
              // The text keeps the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                take(suggestion);
              }}
            >
              <span className="block font-mono text-[13px]">{suggestion.label}</span>
              <span className="block text-[12px] text-ink-faint">{suggestion.help}</span>
            </li>
          ))}
        </ul>
      )}
      {isCurrent && preview !== undefined && issue === undefined && (
        <p role="status" aria-label="Preview" className="rounded-lg bg-sunken px-3 py-2 break-words text-ink-soft">
          {preview.text === undefined ? (
            'Empty for this record.'
          ) : (
            <>
              ={' '}
              <strong className="font-medium text-ink">
                {kind === 'number' && !isList ? withThousands(preview.text) : preview.text}
              </strong>
            </>
          )}
        </p>
      )}
      {kind === 'number' && <NumberOptions options={options} onChange={onChange} />}
      {kind === 'dateTime' && <DateOptions options={options} onChange={onChange} />}
      {kind !== undefined && <ShowAs kind={kind} isList={isList} options={options} onChange={onChange} />}
    </>
  );
};

export const formulaForm: FieldForm = {
  Options: FormulaEditor,
  isComplete: ({ expression }) => typeof expression === 'string' && expression.trim() !== '',
};
