import { type ComponentProps, useId } from 'react';
import { classNames } from './class-names.ts';
import { inputClass } from './text-field.tsx';

export interface TextAreaFieldProps extends ComponentProps<'textarea'> {
  label: string;
  error?: string | undefined;
}

export const TextAreaField = ({ label, error, className, rows = 2, ...rest }: TextAreaFieldProps) => {
  const id = useId();
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-[13px] font-medium text-ink-soft">
        {label}
      </label>
      <textarea id={id} rows={rows} className={classNames(inputClass, 'h-auto! resize-y py-2')} aria-invalid={error !== undefined || undefined} aria-describedby={error === undefined ? undefined : `${id}-more`} {...rest} />
      {error !== undefined && (
        <p id={`${id}-more`} className="text-[13px] text-danger">
          {error}
        </p>
      )}
    </div>
  );
};
