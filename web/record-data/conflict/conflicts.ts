// Cells that somebody else changed while one edited them: both values are shown, and one is chosen. Until then one's own is in the memory of
// the page alone, so anyone who leaves it is asked.
import type { Field } from '@rowhouse/contract/field.ts';
import { timeAgo } from '../../ui/time.ts';
import { counted, dismissAbout, showToast } from '../../ui/toast.ts';
import type { EditConflict } from '../edit-queue.ts';
import type { CellText } from '../record-changes.ts';

interface Shown {
  about: string;
  /** Who changed it. */
  who: string;
  /** When, in words; empty when nobody knows. */
  when: string;
  title: string;
  mine: string;
  theirs: string;
}

const open = new Map<EditConflict, Shown>();
/** More than these are one note. */
const mostNotes = 3;
const allOfThem = 'conflicts';
let last = 0;

const textIn = (field: Field | undefined, value: unknown, textOf: CellText): string =>
  field === undefined ? '' : textOf(field, value);

/** As it is called in a sentence. */
export const describeCell = (field: Field | undefined, value: unknown, textOf: CellText): string => {
  const text = textIn(field, value, textOf);
  return text === '' ? 'nothing' : `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const writerOf = (cells: EditConflict['cells']): Pick<Shown, 'who' | 'when'> => {
  const names = new Set(cells.map(({ writer }) => writer.by?.name ?? 'someone else'));
  const time = cells
    .map(({ writer }) => writer.time ?? '')
    .toSorted()
    .at(-1);
  return {
    who: [...names].join(' and '),
    when: time === undefined || time === '' ? '' : timeAgo(time),
  };
};

const beforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

const decide = (conflicts: readonly EditConflict[], keep: 'keepMine' | 'keepTheirs'): void => {
  for (const conflict of conflicts) {
    closeConflict(conflict);
    conflict[keep]();
  }
};

const show = (): void => {
  const conflicts = [...open.keys()];
  if (open.size > mostNotes) {
    for (const { about } of open.values()) dismissAbout(about);
    showToast({
      kind: 'problem',
      stays: true,
      about: allOfThem,
      title: `Someone else also changed ${counted(open.size, 'cell')} that you edited.`,
      list: [...open.values()].map(({ who, title, mine, theirs }) => ({
        text: `${title}: yours ${mine}, that of ${who} ${theirs}`,
      })),
      choices: [
        { label: 'Keep all of mine', run: () => decide(conflicts, 'keepMine') },
        { label: 'Keep all of theirs', run: () => decide(conflicts, 'keepTheirs') },
      ],
    });
    return;
  }
  dismissAbout(allOfThem);
  for (const [conflict, { about, who, when, title, mine, theirs }] of open) {
    showToast({
      kind: 'problem',
      stays: true,
      about,
      title: `${capital(who)} changed ${title}, too${when === '' ? '' : `, ${when}`}.`,
      values: [
        { label: 'Yours', text: mine },
        { label: 'Theirs', text: theirs },
      ],
      choices: [
        { label: 'Keep mine', run: () => decide([conflict], 'keepMine') },
        { label: 'Keep theirs', run: () => decide([conflict], 'keepTheirs') },
      ],
    });
  }
};

export const closeConflict = (conflict: EditConflict): void => {
  const shown = open.get(conflict);
  if (shown === undefined) return;
  open.delete(conflict);
  dismissAbout(shown.about);
  if (open.size === 0) window.removeEventListener('beforeunload', beforeLeaving);
  // What is left is fewer, and may be shown one by one again.
  if (open.size >= mostNotes || open.size === 0) dismissAbout(allOfThem);
  if (open.size >= mostNotes) show();
};

export const openConflict = ({
  conflict,
  fields,
  nameOf,
  textOf,
}: {
  conflict: EditConflict;
  fields: readonly Field[];
  nameOf: (recordId: string) => string | undefined;
  textOf: CellText;
}): void => {
  const fieldOf = (fieldId: string): Field | undefined => fields.find(({ id }) => id === fieldId);
  const { cells } = conflict;
  const [first] = cells;
  if (first === undefined) return;
  // What a record is called is the primary cell: it cannot name its own conflict.
  const record = cells.some(({ fieldId }) => fieldOf(fieldId)?.isPrimary === true) ? undefined : nameOf(first.recordId);
  const names = cells.map(({ fieldId }) => fieldOf(fieldId)?.name ?? 'a field').join(' and ');
  const texts = (which: 'value' | 'present'): string =>
    cells.map((cell) => textIn(fieldOf(cell.fieldId), cell[which], textOf) || 'Empty').join(' – ');
  open.set(conflict, {
    about: `conflict ${(last += 1)}`,
    ...writerOf(cells),
    title: record === undefined || record === '' ? names : `${names} of ${record}`,
    mine: texts('value'),
    theirs: texts('present'),
  });
  window.addEventListener('beforeunload', beforeLeaving);
  show();
};
