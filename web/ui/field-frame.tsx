import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface FieldFrameProps {
  /** Of the input; what is said below it has this id with `-more`. */
  id: string;
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export const describedBy = (id: string, ...said: ReactNode[]): { 'aria-describedby'?: string } =>
  said.some((text) => text !== undefined) ? { 'aria-describedby': `${id}-more` } : {};

/** The label above an input, and what is to be said about it below. */
export const FieldFrame = ({ id, label, hideLabel = false, hint, error, className, children }: FieldFrameProps) => (
  <div className={classNames('relative flex flex-col gap-1.5', className)}>
    <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-[13px] font-medium text-ink-soft'}>
      {label}
    </label>
    {children}
    {(error ?? hint) !== undefined && (
      <p
        id={`${id}-more`}
        className={classNames('text-[13px]', error === undefined ? 'text-ink-faint' : 'text-danger')}
      >
        {error ?? hint}
      </p>
    )}
  </div>
);
