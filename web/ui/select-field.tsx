// One of a list, picked in a popover. The one way of choosing in the app: it searches, shows icons and pills, and works by keyboard.
import { ChevronDown } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { classNames } from './class-names.ts';
import { describedBy, FieldFrame } from './field-frame.tsx';
import type { Option } from './option-list.tsx';
import { OptionPopover } from './option-popover.tsx';
import { inputClass } from './text-field.tsx';

interface SelectFieldProps {
  label: string;
  hideLabel?: boolean;
  /** One of the options, or empty for none of them. */
  value: string;
  options: readonly Option[];
  placeholder?: string;
  disabled?: boolean;
  error?: string | undefined;
  className?: string | undefined;
  onValue: (value: string) => void;
}

export const SelectField = ({
  label,
  hideLabel = false,
  value,
  options,
  placeholder = 'Choose…',
  disabled = false,
  error,
  className,
  onValue,
}: SelectFieldProps) => {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);
  const openByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <FieldFrame id={id} label={label} hideLabel={hideLabel} error={error} className={className}>
      <Radix.Root open={isOpen} onOpenChange={setOpen}>
        <Radix.Trigger asChild>
          <button
            id={id}
            type="button"
            role="combobox"
            aria-haspopup="listbox"
            disabled={disabled}
            aria-invalid={error !== undefined || undefined}
            {...describedBy(id, error)}
            onKeyDown={openByKey}
            className={classNames(inputClass, 'flex items-center gap-2 pr-2 pl-2.5 text-left')}
          >
            {chosen?.icon !== undefined && <chosen.icon size={15} className="shrink-0 text-ink-faint" aria-hidden />}
            <span className={classNames('min-w-0 flex-1 truncate', chosen === undefined && 'text-ink-faint')}>
              {chosen === undefined ? placeholder : (chosen.content ?? chosen.label)}
            </span>
            <ChevronDown size={15} className="shrink-0 text-ink-faint" aria-hidden />
          </button>
        </Radix.Trigger>
        <OptionPopover
          label={label}
          options={options}
          selected={chosen === undefined ? [] : [value]}
          onPick={(next) => {
            setOpen(false);
            if (next !== value) onValue(next);
          }}
        />
      </Radix.Root>
    </FieldFrame>
  );
};
