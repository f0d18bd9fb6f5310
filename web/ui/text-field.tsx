import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export const inputClass =
  'w-full rounded-lg border border-line-strong bg-surface px-3 h-9 text-ink shadow-card transition-colors hover:border-ink-faint focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent disabled:opacity-60';

export interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

export const TextField = ({ label, hint, error, className, ...rest }: TextFieldProps) => {
  const id = useId();
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-[13px] font-medium text-ink-soft">
        {label}
      </label>
      <input id={id} className={inputClass} aria-invalid={error !== undefined || undefined} aria-describedby={hint !== undefined || error !== undefined ? `${id}-more` : undefined} {...rest} />
      {(error ?? hint) !== undefined && (
        <p id={`${id}-more`} className={classNames('text-[13px]', error === undefined ? 'text-ink-faint' : 'text-danger')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
};
