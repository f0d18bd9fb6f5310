// The form of a share, for people without an account.
import { getUserMe } from '@rowhouse/contract/auth.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { listShareCollaborators, listShareLinkRecords, submitShareForm } from '@rowhouse/contract/share.ts';
import { useEffect, useId, useMemo, useState } from 'react';
import type { EditorProps } from '../field-type/editor/editor-props.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { EditorOfLinks } from '../view-type/form/form-parts.ts';
import { FillForm } from '../view-type/form/fill-form.tsx';
import { ask, type Share } from './ask.ts';
import { readPrefill } from './prefill.ts';

interface Linked {
  id: string;
  title?: string;
}

const linksOf = (value: unknown): Linked[] => (value === null || value === undefined ? [] : [value].flat()) as Linked[];

/** Among the records that the form offers. */
const linkEditorOf = (shareId: string) =>
  function ShareLinkEditor({ field, value, label, onChange }: EditorProps) {
    const several = field.isMultipleCellValue === true;
    const [chosen, setChosen] = useState(() => linksOf(value));
    const [search, setSearch] = useState('');
    const [offered, setOffered] = useState<Linked[] | null>(null);
    const group = useId();
    useEffect(() => {
      let isOver = false;
      const timer = setTimeout(() => {
        ask(listShareLinkRecords, {
          params: { shareId },
          query: { fieldId: field.id, take: 50, ...(search === '' ? {} : { search }) },
        }).then(
          (found) => isOver || setOffered(found),
          () => isOver || setOffered([]),
        );
      }, 200);
      return () => {
        isOver = true;
        clearTimeout(timer);
      };
    }, [field.id, search]);
    const choose = (record: Linked, isChosen: boolean): void => {
      const others = several ? chosen.filter(({ id }) => id !== record.id) : [];
      const next = isChosen ? [...others, record] : others;
      setChosen(next);
      onChange(next.length === 0 ? null : several ? next : next[0]);
    };
    return (
      <fieldset className="w-72">
        <legend className="sr-only">{label}</legend>
        <input
          type="search"
          autoFocus
          aria-label={`Search ${label}`}
          placeholder="Search"
          maxLength={1_000}
          className="mb-2 h-9 w-full rounded-lg border border-line-strong bg-surface px-3"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {offered === null && (
          <p role="status" className="text-ink-faint">
            Loading…
          </p>
        )}
        {offered?.length === 0 && (
          <p role="status" className="text-ink-faint">
            Nothing found.
          </p>
        )}
        {offered?.map((record) => (
          <label key={record.id} className="flex items-center gap-2 rounded px-1 py-1 hover:bg-sunken">
            <input
              type={several ? 'checkbox' : 'radio'}
              name={group}
              checked={chosen.some(({ id }) => id === record.id)}
              onChange={(event) => choose(record, event.target.checked)}
            />
            {record.title ?? 'Unnamed record'}
          </label>
        ))}
      </fieldset>
    );
  };

/** Whether somebody would have to sign in first, as far as is known. */
const useIsStranger = (isAsked: boolean): boolean => {
  const [isStranger, setStranger] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    ask(getUserMe, {}).then(
      () => setStranger(false),
      (error: unknown) => setStranger(error instanceof ApiError && error.status === 401),
    );
  }, [isAsked]);
  return isStranger;
};

export const ShareForm = ({ share }: { share: Share }) => {
  const {
    shareId,
    view,
    fields,
    shareMeta: { submit = {} },
  } = share;
  const [people, setPeople] = useState<BasePerson[]>([]);
  const [website, setWebsite] = useState('');
  const given = useMemo(() => readPrefill(window.location.search, fields), [fields]);
  const LinkEditor = useMemo(() => linkEditorOf(shareId), [shareId]);
  const asksForPeople = fields.some((field) => kindOf(field) === 'person');
  useEffect(() => {
    if (!asksForPeople) return;
    ask(listShareCollaborators, { params: { shareId }, query: { take: 1_000 } }).then(
      (found) => setPeople(found.map(({ userId, userName }) => ({ id: userId, name: userName, email: '' }))),
      () => undefined,
    );
  }, [shareId, asksForPeople]);
  const isStranger = useIsStranger(submit.requireLogin === true);
  const isClosed =
    submit.allow !== true || (typeof submit.closesTime === 'string' && Date.parse(submit.closesTime) <= Date.now());
  if (isClosed)
    return (
      <p role="status" className="mt-[18vh] text-center text-ink-soft">
        This form no longer accepts responses.
      </p>
    );
  if (isStranger) {
    const here = encodeURIComponent(`${window.location.pathname}${window.location.search}`);
    return (
      <p role="status" className="mt-[18vh] text-center text-ink-soft">
        <a className="font-medium text-accent underline" href={`/login?redirect=${here}`}>
          Sign in
        </a>{' '}
        to fill in this form.
      </p>
    );
  }
  const onSubmit = async (cells: Record<string, unknown>): Promise<void> => {
    await ask(submitShareForm, {
      params: { shareId },
      body: { fields: cells, ...(website === '' ? {} : { website }) },
    });
    if (typeof submit.redirectUrl === 'string' && submit.redirectUrl.startsWith('https://'))
      window.location.assign(submit.redirectUrl);
  };
  return (
    <EditorOfLinks value={LinkEditor}>
      <FillForm
        view={view}
        fields={fields}
        people={people}
        userId=""
        maySubmit
        onSubmit={onSubmit}
        given={given.cells}
        hiddenIds={given.hiddenIds}
        extra={
          // Programs fill in what they find; people do not see it.
          <label aria-hidden className="absolute -left-[9999px] h-px w-px overflow-hidden">
            Website
            <input
              type="text"
              name="website"
              tabIndex={-1}
              autoComplete="off"
              value={website}
              onChange={(event) => setWebsite(event.target.value)}
            />
          </label>
        }
      />
    </EditorOfLinks>
  );
};
