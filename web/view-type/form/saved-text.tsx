// A text that saves itself: a moment after the last key, and when it is left.
import { useEffect, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { inputClass } from '../../ui/text-field.tsx';

interface SavedTextProps {
  label: string;
  value: string;
  placeholder?: string;
  maxLength: number;
  multiline?: boolean;
  className?: string;
  id?: string;
  onSave: (text: string) => void;
}

const saveAfter = 500;

export const SavedText = ({
  label,
  value,
  placeholder,
  maxLength,
  multiline = false,
  className,
  id,
  onSave,
}: SavedTextProps) => {
  const [draft, setDraft] = useState<string | null>(null);
  const pending = useRef<{ text: string; timer: ReturnType<typeof setTimeout> }>(undefined);
  const save = useRef(onSave);
  save.current = onSave;
  const flush = (): void => {
    if (pending.current === undefined) return;
    clearTimeout(pending.current.timer);
    const { text } = pending.current;
    pending.current = undefined;
    save.current(text);
  };
  useEffect(() => flush, []);
  const change = (text: string): void => {
    setDraft(text);
    clearTimeout(pending.current?.timer);
    pending.current = { text, timer: setTimeout(flush, saveAfter) };
  };
  const leave = (): void => {
    flush();
    setDraft(null);
  };
  const shared = {
    id,
    'aria-label': id === undefined ? label : undefined,
    placeholder,
    maxLength,
    value: draft ?? value,
    onBlur: leave,
  };
  return multiline ? (
    <textarea
      {...shared}
      rows={2}
      className={classNames(className ?? inputClass, 'h-auto! resize-y py-2')}
      onChange={(event) => change(event.target.value)}
    />
  ) : (
    <input {...shared} className={className ?? inputClass} onChange={(event) => change(event.target.value)} />
  );
};
