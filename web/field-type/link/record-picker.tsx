// Picks records of the other table: what is linked stands above, what can be linked below. Arrows move, Enter links or
// unlinks, typing searches, Backspace in an empty search unlinks the last, Alt with arrows changes the order.
import { allows } from '../../app/standing.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { foldText, foldTitle } from '@rowhouse/contract/fold.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Check, GripVertical, Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { problemOf } from '../../ui/problem.ts';
import { useMe } from '../../app/me.ts';
import { classNames } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/loading.tsx';
import { baseQuery, tablesQuery } from '../../record-data/queries.ts';
import { useStandingInTable } from '../../record-data/standing-in-table.ts';
import { isSameLink, leadsToSeveral, type Linked, linkOptionsOf, linkTitle, moved } from './linked.ts';
import { noteLink } from './recent-links.ts';
import { type Candidate, useCandidates } from './use-candidates.ts';

interface RecordPickerProps {
  label: string;
  field: Field;
  /** Whose cell it is; null: it is none, and any record can be picked. */
  recordId?: string | null | undefined;
  linked: readonly Linked[];
  initialText?: string | undefined;
  autoFocus?: boolean | undefined;
  mayCreate?: boolean;
  /** `isLeaving`: the key leads on to the next cell by itself. */
  onLinked: (linked: Linked[], isLeaving: boolean) => void;
}

type Row = { kind: 'linked'; link: Linked; at: number } | { kind: 'free'; candidate: Candidate } | { kind: 'create' };

/** A list may have thousands: the others are found by searching. */
const mostListed = 100;

const rowClass = 'flex cursor-default items-center gap-2 rounded-lg px-2 py-1.5 select-none';
const headingClass = 'px-2 pt-2 pb-1 text-[12px] font-medium text-ink-faint';

const useOtherTable = (tableId: string): { name: string; mayCreate: boolean } => {
  const { baseId = '' } = useParams({ strict: false });
  const tables = useQuery({ ...tablesQuery(baseId), enabled: baseId !== '' }).data;
  const base = useQuery({ ...baseQuery(baseId), enabled: baseId !== '' }).data;
  const allowed = useStandingInTable(base, tableId);
  return {
    name: tables?.find(({ id }) => id === tableId)?.name ?? 'the other table',
    mayCreate: allowed !== undefined && allows(allowed.standing, 'record|create'),
  };
};

export const RecordPicker = ({
  label,
  field,
  recordId,
  linked,
  initialText = '',
  autoFocus,
  mayCreate = true,
  onLinked,
}: RecordPickerProps) => {
  const id = useId();
  const userId = useMe().id;
  const several = leadsToSeveral(field);
  const { foreignTableId } = linkOptionsOf(field);
  const other = useOtherTable(foreignTableId);
  const [search, setSearch] = useState(initialText);
  const [active, setActive] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  /** Enter was pressed before the server had answered the search. */
  const waiting = useRef<{ isLeaving: boolean }>(undefined);
  const listElement = useRef<HTMLUListElement>(null);
  const { list: found, isCurrent, error, titleField } = useCandidates(field, recordId, search);
  const wanted = foldTitle(search);
  // For the server they are in the cell still.
  const before = useRef(linked);
  const linkedIds = new Set(linked.map((link) => link.id));
  const foundIds = new Set(found.map((candidate) => candidate.id));
  const unlinked = before.current.flatMap((link): Candidate[] =>
    link.id === undefined ||
    linkedIds.has(link.id) ||
    foundIds.has(link.id) ||
    !foldText(linkTitle(link)).includes(wanted)
      ? []
      : [{ id: link.id, title: linkTitle(link), note: '' }],
  );
  const list = [...unlinked, ...found];

  const matching = linked
    .map((link, at): Row & { kind: 'linked' } => ({ kind: 'linked', link, at }))
    .filter(({ link }) => foldText(linkTitle(link)).includes(wanted));
  const linkedRows = matching.slice(0, mostListed);
  const unnamed = linked.filter((link) => link.id === undefined);
  const free = list.filter(
    (candidate) => !linkedIds.has(candidate.id) && !unnamed.some((link) => isSameLink(link, candidate)),
  );
  const hasSameTitle = [...list.map(({ title }) => title), ...linked.map(linkTitle)].some(
    (title) => foldTitle(title) === wanted,
  );
  const canCreate =
    mayCreate && other.mayCreate && titleField !== undefined && wanted !== '' && isCurrent && !hasSameTitle;
  const rows: Row[] = [
    ...linkedRows,
    ...free.map((candidate): Row => ({ kind: 'free', candidate })),
    ...(canCreate ? [{ kind: 'create' } as const] : []),
  ];
  const firstFree = rows.findIndex(
    (row) => row.kind === 'create' || (row.kind === 'free' && row.candidate.taken === undefined),
  );
  // Nothing is picked that neither arrows nor letters nor the pointer have led to: Enter then closes the list.
  const current = Math.min(active ?? (wanted === '' ? -1 : Math.max(firstFree, 0)), rows.length - 1);

  useEffect(() => {
    listElement.current?.querySelector(`[data-at="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const add = (link: Linked, isLeaving: boolean): void => {
    if (link.id !== undefined) noteLink(userId, foreignTableId, link.id);
    setSearch('');
    setActive(undefined);
    onLinked(several ? [...linked, link] : [link], isLeaving);
  };
  const remove = (at: number, isLeaving = false): void =>
    onLinked(
      linked.filter((_link, place) => place !== at),
      isLeaving,
    );
  const pick = (place: number, isLeaving = false): void => {
    const row = rows[place];
    if (row?.kind === 'linked') {
      // Its name was typed, so it is wanted: it stays.
      if (wanted === '') remove(row.at, isLeaving);
      else setSearch('');
    } else if (row?.kind === 'create') add({ title: search.trim() }, isLeaving);
    else if (row?.kind === 'free' && row.candidate.taken === undefined)
      add({ id: row.candidate.id, title: row.candidate.title }, isLeaving);
  };
  useEffect(() => {
    if (!isCurrent || waiting.current === undefined) return;
    const { isLeaving } = waiting.current;
    waiting.current = undefined;
    pick(current, isLeaving);
  });

  const order = (from: number, to: number): void => onLinked(moved(linked, from, to), false);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const row = rows[current];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && event.altKey && row?.kind === 'linked' && wanted === '') {
      order(row.at, row.at + step);
      setActive(Math.min(Math.max(current + step, 0), linked.length - 1));
    } else if (step !== undefined)
      setActive(
        Math.min(
          Math.max((current < 0 ? (step > 0 ? firstFree - 1 : firstFree) : current) + step, 0),
          Math.max(0, rows.length - 1),
        ),
      );
    else if (event.key === 'Backspace' && search === '' && linked.length > 0) remove(linked.length - 1);
    else if (
      (event.key === 'Enter' && (current >= 0 || wanted !== '')) ||
      (event.key === 'Tab' && wanted !== '' && !event.shiftKey)
    ) {
      const isLeaving = event.key === 'Tab';
      if (
        active === undefined &&
        wanted !== '' &&
        !isCurrent &&
        !(row?.kind === 'free' && foldTitle(row.candidate.title) === wanted)
      )
        waiting.current = { isLeaving: false };
      else {
        pick(current, isLeaving);
        if (isLeaving) return;
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const option = (place: number, isSelected: boolean, content: ReactNode, more: object = {}) => (
    <li
      key={place}
      id={`${id}-${place}`}
      data-at={place}
      role="option"
      aria-selected={isSelected}
      onMouseMove={() => setActive(place)}
      onClick={() => pick(place)}
      className={classNames(rowClass, place === current && 'bg-sunken')}
      {...more}
    >
      {content}
    </li>
  );
  const heading = (text: string) => (
    <li role="presentation" className={headingClass}>
      {text}
    </li>
  );
  const recentCount = free.filter(({ isRecent }) => isRecent === true).length;
  const freeRow = ({ title, note, taken }: Candidate, place: number) =>
    option(
      place,
      false,
      <span className={classNames('min-w-0 flex-1', taken !== undefined && 'text-ink-faint')}>
        <span className="block truncate">{title}</span>
        {(taken ?? note) !== '' && <span className="block truncate text-[12px] text-ink-faint">{taken ?? note}</span>}
      </span>,
      taken === undefined ? {} : { 'aria-disabled': true },
    );
  const linkedRow = ({ link, at }: Row & { kind: 'linked' }, place: number) =>
    option(
      place,
      true,
      <>
        {several && linked.length > 1 ? (
          <GripVertical size={14} className="shrink-0 cursor-grab text-ink-faint" aria-hidden />
        ) : (
          <Check size={15} className="shrink-0 text-accent" aria-hidden />
        )}
        <span className="min-w-0 flex-1 truncate">{linkTitle(link)}</span>
        <span
          aria-hidden
          title={`Unlink ${linkTitle(link)}`}
          className="-my-1 -mr-1 shrink-0 cursor-pointer rounded p-1 text-ink-faint hover:text-danger"
          onClick={(event) => {
            event.stopPropagation();
            remove(at);
          }}
        >
          <X size={14} />
        </span>
      </>,
      several && wanted === '' && linked.length > 1
        ? {
            draggable: true,
            onDragStart: () => setDragged(at),
            onDragEnd: () => setDragged(undefined),
            onDragOver: (event: { preventDefault: () => void }) => {
              event.preventDefault();
              if (dragged === undefined || dragged === at) return;
              order(dragged, at);
              setDragged(at);
            },
          }
        : {},
    );

  return (
    <div className="flex max-h-80 w-72 max-w-full flex-col" onKeyDown={onKeyDown}>
      <input
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        aria-label={label}
        autoFocus={autoFocus === true}
        autoComplete="off"
        placeholder={`Search ${other.name}`}
        value={search}
        onChange={(event) => {
          waiting.current = undefined;
          setSearch(event.target.value);
          setActive(undefined);
        }}
        className="m-1 h-8 shrink-0 rounded-lg border border-line-strong bg-surface px-2.5 text-ink outline-none focus:border-accent"
      />
      <ul
        ref={listElement}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={several || undefined}
        className="min-h-0 flex-1 overflow-y-auto p-1 pt-0"
      >
        {linkedRows.length > 0 && heading('Linked')}
        {linkedRows.map((row, place) => linkedRow(row, place))}
        {matching.length > linkedRows.length && (
          <li role="presentation" className="px-2 py-1.5 text-[12px] text-ink-faint">
            and {(matching.length - linkedRows.length).toLocaleString('en')} more: type to find one
          </li>
        )}
        {recentCount > 0 && heading('Recent')}
        {free.slice(0, recentCount).map((candidate, at) => freeRow(candidate, linkedRows.length + at))}
        {free.length > recentCount && (linkedRows.length > 0 || recentCount > 0) && heading(other.name)}
        {free.slice(recentCount).map((candidate, at) => freeRow(candidate, linkedRows.length + recentCount + at))}
        {canCreate &&
          option(
            rows.length - 1,
            false,
            <>
              <Plus size={15} className="shrink-0" aria-hidden />
              <span className="min-w-0 flex-1 truncate">
                Create “{search.trim()}” in {other.name}
              </span>
            </>,
          )}
        {!isCurrent && free.length === 0 && error === null && (
          <li role="presentation" className="flex items-center gap-2 px-2 py-1.5 text-ink-faint">
            <Spinner /> Searching…
          </li>
        )}
        {isCurrent && free.length === 0 && !canCreate && (
          <li role="presentation" className="px-2 py-1.5 text-ink-faint">
            {wanted === ''
              ? `Nothing ${linked.length > 0 ? 'else ' : ''}to link in ${other.name}`
              : hasSameTitle
                ? 'It is linked already'
                : 'No record found'}
          </li>
        )}
        {error !== null && (
          <li role="presentation" className="px-2 py-1.5 text-danger">
            {problemOf(error).title}
          </li>
        )}
      </ul>
    </div>
  );
};
