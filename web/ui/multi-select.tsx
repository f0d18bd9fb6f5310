// Several of a list, picked in a popover.
import { ChevronDown } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { classNames } from './class-names.ts';
import type { Option } from './option-list.tsx';
import { OptionPopover } from './option-popover.tsx';
import { inputClass } from './text-field.tsx';

interface MultiSelectProps {
  label: string;
  values: readonly string[];
  options: readonly Option[];
  placeholder?: string;
  onValues: (values: string[]) => void;
}

export const MultiSelect = ({ label, values, options, placeholder = 'Choose…', onValues }: MultiSelectProps) => {
  const chosen = options.filter(({ value }) => values.includes(value));
  return (
    <Radix.Root>
      <Radix.Trigger asChild>
        <button
          type="button"
          role="combobox"
          aria-haspopup="listbox"
          aria-label={label}
          className={classNames(inputClass, 'flex items-center gap-1.5 pr-2 pl-2.5 text-left')}
        >
          <span
            className={classNames(
              'flex min-w-0 flex-1 items-center gap-1 overflow-hidden',
              chosen.length === 0 && 'text-ink-faint',
            )}
          >
            {chosen.length === 0
              ? placeholder
              : chosen.map(({ value, label: name, content }) => (
                  <span key={value} className="shrink-0">
                    {content ?? name}
                  </span>
                ))}
          </span>
          <ChevronDown size={15} className="shrink-0 text-ink-faint" aria-hidden />
        </button>
      </Radix.Trigger>
      <OptionPopover
        label={label}
        multiple
        options={options}
        selected={values}
        onPick={(value) =>
          onValues(values.includes(value) ? values.filter((item) => item !== value) : [...values, value])
        }
      />
    </Radix.Root>
  );
};
