import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names.ts';
import { inputClass } from './text-field.tsx';

export interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  label: string;
  hideLabel?: boolean;
  options: readonly { value: string; label: string }[];
  onValue: (value: string) => void;
}

// The browser's own list: quick, reachable by keyboard, and right on a phone.
export const SelectField = ({ label, hideLabel = false, options, onValue, className, ...rest }: SelectFieldProps) => {
  const id = useId();
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-[13px] font-medium text-ink-soft'}>
        {label}
      </label>
      <select id={id} className={classNames(inputClass, 'pl-2 pr-1')} onChange={(event) => onValue(event.target.value)} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
};
