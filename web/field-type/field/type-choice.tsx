import { ChevronDown, type LucideIcon, Search } from 'lucide-react';
import { useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { inputClass } from '../../ui/text-field.tsx';
import type { FieldKind } from '../field-type.ts';
import { allKinds, fieldTypeOf } from '../field-types.ts';

interface TypeChoiceProps {
  type: FieldKind;
  isOpen: boolean;
  onOpen: () => void;
  /** With options where it was found by another name. */
  onType: (type: FieldKind, options?: Record<string, unknown>) => void;
}

interface Offer {
  type: FieldKind;
  label: string;
  meaning: string;
  icon: LucideIcon;
  options?: Record<string, unknown>;
}

const types = allKinds
  .map((kind) => ({ type: kind, ...fieldTypeOf(kind) }))
  .filter(({ isHidden }) => isHidden !== true);

/** The types, then what people know by another name. */
const offered: readonly Offer[] = [
  ...types.map(({ type, label, meaning, icon }) => ({ type, label, meaning, icon })),
  ...types.flatMap(({ type, variants = [] }) => variants.map((variant) => ({ type, ...variant }))),
];

/** What is called so comes before what is only described so. */
export const offersFor = (search: string): Offer[] => {
  const wanted = search.trim().toLowerCase();
  const named = offered.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const others = offered.filter(
    (offer) => !named.includes(offer) && `${offer.label} ${offer.meaning} ${offer.type}`.toLowerCase().includes(wanted),
  );
  return [...named, ...others];
};

/** The types of fields with their icons, to be searched and picked from. */
export const TypeChoice = ({ type, isOpen, onOpen, onType }: TypeChoiceProps) => {
  const id = useId();
  const [search, setSearch] = useState('');
  const { icon: Icon, label } = fieldTypeOf(type);
  const shown = offersFor(search);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium text-ink-soft">
        Type
      </label>
      <button
        id={id}
        type="button"
        aria-expanded={isOpen}
        onClick={onOpen}
        className={classNames(inputClass, 'flex items-center gap-2 text-left')}
      >
        <Icon size={16} className="text-ink-faint" aria-hidden />
        <span className="flex-1">{label}</span>
        <ChevronDown
          size={15}
          className={classNames('text-ink-faint transition-transform', isOpen && 'rotate-180')}
          aria-hidden
        />
      </button>
      {isOpen && (
        <div className="rounded-xl border border-line p-1.5">
          <div className="mb-1 flex items-center gap-2 px-2">
            <Search size={14} className="shrink-0 text-ink-faint" aria-hidden />
            <input
              aria-label="Search field types"
              placeholder="Search field types"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                if (shown[0] !== undefined) onType(shown[0].type, shown[0].options);
              }}
              className="h-8 min-w-0 flex-1 bg-transparent outline-none"
            />
          </div>
          <ul aria-label="Field types" className="grid grid-cols-2 gap-1">
            {shown.map((info) => (
              <li key={info.label}>
                <button
                  type="button"
                  aria-pressed={info.options === undefined && info.type === type}
                  onClick={() => onType(info.type, info.options)}
                  className={classNames(
                    'flex h-full w-full items-start gap-2 rounded-lg px-2 py-1.5 text-left hover:bg-sunken',
                    info.options === undefined && info.type === type && 'bg-accent-soft',
                  )}
                >
                  <info.icon
                    size={16}
                    className={classNames('mt-0.5 shrink-0', info.type === type ? 'text-accent' : 'text-ink-soft')}
                    aria-hidden
                  />
                  <span className="min-w-0">
                    <span className="block leading-5 font-medium">{info.label}</span>
                    <span className="block text-[12px] leading-4 text-ink-faint">{info.meaning}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {shown.length === 0 && <p className="px-2 py-1.5 text-ink-faint">No type found</p>}
        </div>
      )}
    </div>
  );
};
