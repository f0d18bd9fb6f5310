import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names.ts';
import { describedBy, FieldFrame } from './field-frame.tsx';
import { inputClass } from './text-field.tsx';

interface TextAreaFieldProps extends ComponentProps<'textarea'> {
  label: string;
  error?: string | undefined;
}

export const TextAreaField = ({ label, error, className, rows = 2, ...rest }: TextAreaFieldProps) => {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error} className={className}>
      <textarea
        id={id}
        rows={rows}
        className={classNames(inputClass, 'h-auto! resize-y py-2')}
        aria-invalid={error !== undefined || undefined}
        {...describedBy(id, error)}
        {...rest}
      />
    </FieldFrame>
  );
};
