import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { ProblemNote } from './problem-note.tsx';
import { Section } from './section.tsx';

interface FormSectionProps {
  title: string;
  lead?: ReactNode;
  /** Above the form. */
  before?: ReactNode;
  action: string;
  look?: NonNullable<ButtonProps['look']>;
  busy: boolean;
  disabled?: boolean;
  error: unknown;
  onSubmit: () => void;
  children: ReactNode;
}

/** A part of a settings page that is one form with one button. */
export const FormSection = ({
  title,
  lead,
  before,
  action,
  look = 'secondary',
  busy,
  disabled = false,
  error,
  onSubmit,
  children,
}: FormSectionProps) => (
  <Section title={title} lead={lead}>
    {before}
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <ProblemNote error={error} />
      <Button look={look} type="submit" className="self-start" busy={busy} disabled={disabled}>
        {action}
      </Button>
    </form>
  </Section>
);
