import type { ReactNode } from 'react';

interface CheckFieldProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChecked: (checked: boolean) => void;
}

/** Yes or no, with what it means. */
export const CheckField = ({ label, hint, checked, disabled = false, onChecked }: CheckFieldProps) => (
  <label className="flex items-start gap-2">
    <input
      type="checkbox"
      className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChecked(event.target.checked)}
    />
    <span className="min-w-0">
      {label}
      {hint !== undefined && <span className="block text-[13px] text-ink-faint">{hint}</span>}
    </span>
  </label>
);
