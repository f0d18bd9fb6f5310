// A searchable list to pick from: choices of a select, people. Arrows move, Enter picks, typing searches, Tab picks what was typed.
// Nothing is picked that neither arrows nor letters nor the pointer have led to: Enter then closes the list.
import { foldTitle } from '@rowhouse/contract/fold.ts';
import { Check, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { matching } from '../../ui/matching.ts';

interface Option {
  key: string;
  text: string;
  content: ReactNode;
}

interface OptionListProps {
  label: string;
  options: readonly Option[];
  selected: readonly string[];
  initialText?: string | undefined;
  autoFocus?: boolean | undefined;
  onPick: (key: string, how: Picking) => void;
  /** Offers to make what was searched for and not found. */
  onCreate?: ((text: string, how: Picking) => void) | undefined;
}

export interface Picking {
  /** Its name was typed, so it is wanted: it is not taken away when it is there already. */
  isNamed: boolean;
  /** The key leads on to the next cell by itself. */
  isLeaving: boolean;
}

export const OptionList = ({
  label,
  options,
  selected,
  initialText = '',
  autoFocus,
  onPick,
  onCreate,
}: OptionListProps) => {
  const id = useId();
  const [search, setSearch] = useState(initialText);
  const [active, setActive] = useState<number>();
  const wanted = foldTitle(search);
  const shown = matching(options, ({ text }) => text, wanted).slice(0, 200);
  const canCreate =
    onCreate !== undefined &&
    wanted !== '' &&
    !options.some((option) => option.text.toLowerCase() === search.trim().toLowerCase());
  const total = shown.length + (canCreate ? 1 : 0);
  const current = Math.min(active ?? (wanted === '' ? -1 : 0), total - 1);

  const pick = (index: number, isLeaving = false): void => {
    const option = shown[index];
    const how: Picking = { isNamed: wanted !== '', isLeaving };
    if (option !== undefined) onPick(option.key, how);
    else if (canCreate) onCreate?.(search.trim(), how);
    setSearch('');
    if (wanted !== '') setActive(undefined);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setActive(Math.min(current + 1, total - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(current - 1, 0));
    else if (event.key === 'Enter' && current >= 0) pick(current);
    else if (event.key === 'Tab' && wanted !== '' && total > 0) return pick(current, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="flex max-h-72 w-60 max-w-full flex-col" onKeyDown={onKeyDown}>
      <input
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        aria-label={label}
        autoFocus={autoFocus === true}
        placeholder={onCreate === undefined ? 'Search' : 'Search or add'}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setActive(undefined);
        }}
        className="m-1 h-8 shrink-0 rounded-lg border border-line-strong bg-surface px-2.5 text-ink outline-none focus:border-accent"
      />
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable
        className="min-h-0 flex-1 overflow-y-auto p-1"
      >
        {shown.map((option, index) => (
          <li
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={selected.includes(option.key)}
            onMouseMove={() => setActive(index)}
            onClick={() => pick(index)}
            className={classNames(
              'flex cursor-default items-center gap-2 rounded-lg px-2 py-1.5',
              index === current && 'bg-sunken',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{option.content}</span>
            {selected.includes(option.key) && <Check size={15} className="shrink-0 text-accent" aria-hidden />}
          </li>
        ))}
        {canCreate && (
          <li
            id={`${id}-${shown.length}`}
            role="option"
            aria-selected={false}
            onMouseMove={() => setActive(shown.length)}
            onClick={() => pick(shown.length)}
            className={classNames(
              'flex cursor-default items-center gap-2 rounded-lg px-2 py-1.5',
              current === shown.length && 'bg-sunken',
            )}
          >
            <Plus size={15} aria-hidden /> Add “{search.trim()}”
          </li>
        )}
        {total === 0 && (
          <li className="px-2 py-1.5 text-ink-faint">
            {onCreate === undefined ? 'Nobody found.' : 'No choices yet: type one to add it.'}
          </li>
        )}
      </ul>
    </div>
  );
};
