// A form that makes one record at a time. It asks for what the answers so far call for.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { askedFields } from '@rowhouse/contract/form.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { readDraft } from '../../field-type/read-draft.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { FormCover } from './form-cover.tsx';
import { FormField } from './form-field.tsx';
import {
  columnsOfForm,
  fieldsOfForm,
  firstCells,
  formColumn,
  formOptions,
  isRequired,
  questionOf,
  submitLabelOf,
  titleOf,
} from './form-parts.ts';

export interface FillFormProps {
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  /** Empty for somebody without an account. */
  userId: string;
  maySubmit: boolean;
  /** Cells by field id. */
  onSubmit: (cells: Record<string, unknown>) => Promise<void>;
  /** What the address says, by field id: it goes before what the form begins with. */
  given?: Readonly<Record<string, unknown>>;
  /** Fields that are not shown and sent as they were given. */
  hiddenIds?: ReadonlySet<string>;
  /** Below the fields. */
  extra?: ReactNode;
}

type Reasons = Record<string, string>;

/** What the server found wrong, by field. */
const reasonsOf = (error: unknown): Reasons => {
  const { issues = [], errors = [] } = ((error instanceof ApiError ? error.data : undefined) ?? {}) as {
    issues?: { path: string; message: string }[];
    errors?: { field: string; message: string }[];
  };
  return Object.fromEntries([
    ...errors.map(({ field, message }) => [field, message]),
    ...issues.map(({ path, message }) => [path.replace(/^fields\./, ''), message]),
  ]);
};

const panelClass = 'mx-auto w-full max-w-xl overflow-hidden rounded-2xl border border-line bg-surface shadow-card';

const none: ReadonlySet<string> = new Set();

export const FillForm = ({
  view,
  fields,
  people,
  userId,
  maySubmit,
  onSubmit,
  given: told = {},
  hiddenIds = none,
  extra,
}: FillFormProps) => {
  const inForm = fieldsOfForm(view, fields);
  const [cells, setCells] = useState<Record<string, unknown>>(() => ({ ...firstCells(view, inForm), ...told }));
  const [reasons, setReasons] = useState<Reasons>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  // The editors keep what is typed; a new number empties them.
  const [round, setRound] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const thanks = useRef<HTMLHeadingElement>(null);
  const { thanksTitle, thanksText, isAnotherHidden } = formOptions(view);

  const read = inForm.map((field) => ({ field, draft: readDraft(field, cells[field.id]) }));
  const answers = Object.fromEntries(read.map(({ field, draft }) => [field.id, draft.ok ? draft.value : null]));
  const asked = new Set(askedFields(inForm, columnsOfForm(view), answers, { userId, now: new Date() }));

  useEffect(() => {
    if (isDone) thanks.current?.focus();
  }, [isDone]);

  const complain = (wrong: Reasons): void => {
    setReasons(wrong);
    const first = inForm.find(({ id }) => wrong[id] !== undefined);
    if (first === undefined) return;
    const place = form.current?.querySelector(`[data-field="${first.id}"]`);
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('input, textarea, button, [tabindex]')?.focus({ preventScroll: true });
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setError(null);
    const given = read.filter(({ field }) => asked.has(field));
    const isMissing = (field: Field, value: unknown): boolean =>
      value === null && isRequired(view, field) && field.options['defaultValue'] === undefined;
    const wrong = Object.fromEntries(
      given.flatMap(({ field, draft }) =>
        draft.ok
          ? isMissing(field, draft.value)
            ? [[field.id, 'This field is required.']]
            : []
          : [[field.id, draft.reason]],
      ),
    );
    if (Object.keys(wrong).length > 0) return complain(wrong);
    setReasons({});
    setBusy(true);
    try {
      await onSubmit(
        Object.fromEntries(
          given.flatMap(({ field, draft }) => (draft.ok && draft.value !== null ? [[field.id, draft.value]] : [])),
        ),
      );
      setDone(true);
    } catch (thrown) {
      setError(thrown);
      complain(reasonsOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  const again = (): void => {
    setCells({ ...firstCells(view, inForm), ...told });
    setRound(round + 1);
    setDone(false);
  };

  if (isDone) {
    return (
      <div className={panelClass}>
        <FormCover view={view} />
        <div className="flex flex-col items-center gap-3 p-8 text-center sm:p-12">
          <CircleCheck size={40} className="text-accent" aria-hidden />
          <h2 ref={thanks} tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
            {thanksTitle || 'Thank you'}
          </h2>
          <p className="whitespace-pre-line text-ink-soft">{thanksText || 'Your response was saved.'}</p>
          {isAnotherHidden !== true && <Button onClick={again}>Submit another response</Button>}
        </div>
      </div>
    );
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className={panelClass}>
      <FormCover view={view} />
      <div className="flex flex-col gap-5 p-5 sm:p-8">
        <div>
          <h2 className="text-2xl font-semibold tracking-tight break-words">{titleOf(view)}</h2>
          {view.description !== undefined && (
            <p className="mt-1.5 whitespace-pre-line text-ink-soft">{view.description}</p>
          )}
        </div>
        {inForm.length === 0 && <p className="text-ink-soft">This form has no fields yet.</p>}
        {inForm
          .filter((field) => asked.has(field) && !hiddenIds.has(field.id))
          .map((field) => (
            <FormField
              key={`${field.id} ${round}`}
              field={field}
              question={questionOf(view, field)}
              help={formColumn(view, field.id).help ?? field.description}
              isRequired={isRequired(view, field)}
              value={cells[field.id]}
              people={people}
              reason={reasons[field.id]}
              onChange={(value) => {
                setCells((before) => ({ ...before, [field.id]: value }));
                setReasons(({ [field.id]: _mended, ...rest }) => rest);
              }}
            />
          ))}
        {extra}
        <ProblemNote error={error} />
        <Button look="primary" size="large" type="submit" busy={busy} disabled={!maySubmit || inForm.length === 0}>
          {submitLabelOf(view)}
        </Button>
        {!maySubmit && (
          <p className="text-center text-[13px] text-ink-faint">Your role does not let you add records.</p>
        )}
      </div>
    </form>
  );
};
