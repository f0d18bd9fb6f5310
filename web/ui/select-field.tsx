import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame } from './field-frame.tsx';
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
    <FieldFrame id={id} label={label} hideLabel={hideLabel} className={className}>
      <select id={id} className={classNames(inputClass, 'pl-2 pr-1')} onChange={(event) => onValue(event.target.value)} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
};
