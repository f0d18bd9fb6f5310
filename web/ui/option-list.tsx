// A list to pick from, with a search when it is long. The focus stays in one place: arrows move, Enter picks, letters search.
import { Check, type LucideIcon, Plus, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { matching } from './matching.ts';

export interface Option {
  value: string;
  /** What is searched, and said when there is no `content`. */
  label: string;
  icon?: LucideIcon | undefined;
  /** A pill, an avatar: shown instead of the label. */
  content?: ReactNode;
  /** A second line. */
  note?: string | undefined;
}

interface OptionListProps {
  label: string;
  options: readonly Option[];
  selected: readonly string[];
  multiple?: boolean;
  initialText?: string;
  /** When nothing is found. */
  emptyText?: string;
  className?: string;
  onPick: (value: string) => void;
  /** Offers to make what was searched for and not found. */
  onCreate?: ((text: string) => void) | undefined;
}

/** Fewer are seen at a glance. */
const searchFrom = 7;
const typedTogether = 600;

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Remembers letters that are typed in quick succession. */
const useTypedText = () => {
  const typed = useRef({ text: '', time: 0 });
  return (key: string): string => {
    const now = Date.now();
    typed.current = { text: now - typed.current.time > typedTogether ? key : typed.current.text + key, time: now };
    return typed.current.text.toLowerCase();
  };
};

export const OptionList = ({
  label,
  options,
  selected,
  multiple = false,
  initialText = '',
  emptyText = 'Nothing found',
  className,
  onPick,
  onCreate,
}: OptionListProps) => {
  const id = useId();
  const [search, setSearch] = useState(initialText);
  const hasSearch = options.length >= searchFrom || onCreate !== undefined;
  const wanted = search.trim().toLowerCase();
  const shown = wanted === '' ? options : matching(options, (option) => option.label, wanted);
  const canCreate =
    onCreate !== undefined && wanted !== '' && !options.some((option) => option.label.toLowerCase() === wanted);
  const last = shown.length - (canCreate ? 0 : 1);
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ value }) => selected.includes(value)),
    ),
  );
  const current = Math.min(active, Math.max(0, last));
  const typedText = useTypedText();
  const list = useRef<HTMLUListElement>(null);
  const holder = useRef<HTMLElement | null>(null);

  useEffect(() => {
    holder.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const pick = (at: number): void => {
    const option = shown[at];
    if (option !== undefined) onPick(option.value);
    else if (canCreate) onCreate?.(search.trim());
    else return;
    if (multiple) setSearch('');
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    // In a text Home and End belong to the text.
    if (move !== undefined && (!hasSearch || event.key.startsWith('Arrow'))) setActive(move(current, last));
    else if (event.key === 'Enter' || (event.key === ' ' && !hasSearch)) pick(current);
    else if (!hasSearch && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const text = typedText(event.key);
      const found = shown.findIndex((option) => option.label.toLowerCase().startsWith(text));
      if (found >= 0) setActive(found);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const itemClass = (at: number): string =>
    classNames(
      'flex cursor-default items-center gap-2 rounded-lg px-2 py-1.5 select-none',
      at === current && 'bg-sunken',
    );
  const listId = `${id}-list`;
  const activeId = last >= 0 ? `${id}-${current}` : undefined;
  return (
    <div
      className={classNames(
        'flex max-h-[min(22rem,var(--radix-popover-content-available-height,22rem))] min-w-48 max-w-full flex-col',
        className,
      )}
      onKeyDown={onKeyDown}
    >
      {hasSearch && (
        <div className="mb-1 flex items-center gap-2 border-b border-line px-2.5 pb-1.5">
          <Search size={14} className="shrink-0 text-ink-faint" aria-hidden />
          <input
            ref={(element) => void (holder.current = element)}
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={activeId}
            aria-label={label}
            placeholder={onCreate === undefined ? 'Search' : 'Search or add'}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setActive(0);
            }}
            className="h-7 min-w-0 flex-1 bg-transparent text-ink outline-none"
          />
        </div>
      )}
      <ul
        id={listId}
        ref={(element) => {
          list.current = element;
          if (!hasSearch) holder.current = element;
        }}
        role="listbox"
        aria-label={label}
        aria-multiselectable={multiple || undefined}
        {...(hasSearch ? {} : { tabIndex: 0, 'aria-activedescendant': activeId })}
        className="min-h-0 flex-1 overflow-y-auto outline-none"
      >
        {shown.map((option, at) => {
          const isSelected = selected.includes(option.value);
          return (
            <li
              key={option.value}
              id={`${id}-${at}`}
              data-at={at}
              role="option"
              aria-selected={isSelected}
              onMouseMove={() => setActive(at)}
              onClick={() => pick(at)}
              className={itemClass(at)}
            >
              {multiple && (
                <span
                  aria-hidden
                  className={classNames(
                    'flex size-4 shrink-0 items-center justify-center rounded-[4px] border-[1.5px]',
                    isSelected ? 'border-accent bg-accent text-accent-ink' : 'border-ink-faint',
                  )}
                >
                  {isSelected && <Check size={12} strokeWidth={3} />}
                </span>
              )}
              {option.icon !== undefined && <option.icon size={15} className="shrink-0 text-ink-faint" aria-hidden />}
              <span className="min-w-0 flex-1">
                <span className="block truncate">{option.content ?? option.label}</span>
                {option.note !== undefined && (
                  <span className="block truncate text-[12px] text-ink-faint">{option.note}</span>
                )}
              </span>
              {isSelected && !multiple && <Check size={15} className="shrink-0 text-accent" aria-hidden />}
            </li>
          );
        })}
        {canCreate && (
          <li
            id={`${id}-${shown.length}`}
            data-at={shown.length}
            role="option"
            aria-selected={false}
            onMouseMove={() => setActive(shown.length)}
            onClick={() => pick(shown.length)}
            className={itemClass(shown.length)}
          >
            <Plus size={15} aria-hidden /> Add “{search.trim()}”
          </li>
        )}
        {last < 0 && <li className="px-2 py-1.5 text-ink-faint">{emptyText}</li>}
      </ul>
    </div>
  );
};
