import { type ComponentProps, type ReactNode, useId } from 'react';
import { describedBy, FieldFrame } from './field-frame.tsx';

export const inputClass =
  'w-full rounded-lg border border-line-strong bg-surface px-3 h-9 text-ink shadow-card transition-colors hover:border-ink-faint focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent disabled:opacity-60';

interface TextFieldProps extends ComponentProps<'input'> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

export const TextField = ({ label, hint, error, className, ...rest }: TextFieldProps) => {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} className={className}>
      <input
        id={id}
        className={inputClass}
        aria-invalid={error !== undefined || undefined}
        {...describedBy(id, hint, error)}
        {...rest}
      />
    </FieldFrame>
  );
};
