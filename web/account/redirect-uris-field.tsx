// One row for each address, so that a fault of one is shown at that one.
import { Plus, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { inputClass } from '../ui/text-field.tsx';

interface RedirectUrisFieldProps {
  uris: readonly string[];
  onChange: (uris: readonly string[]) => void;
  problemOf: (uri: string) => string | undefined;
  /** With the list as a whole. */
  problem: string | undefined;
}

export const RedirectUrisField = ({ uris, onChange, problemOf, problem }: RedirectUrisFieldProps) => {
  const id = useId();
  const rows = useRef<HTMLDivElement>(null);
  const focusNext = useRef<number | null>(null);
  // Adding and removing rows must not leave a keyboard user at the top of the page.
  useEffect(() => {
    if (focusNext.current === null) return;
    rows.current?.querySelectorAll('input')[focusNext.current]?.focus();
    focusNext.current = null;
  });

  return (
    <fieldset aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">Redirect URIs</legend>
      <div ref={rows} className="flex flex-col gap-2">
        {uris.map((uri, at) => {
          const fault = problemOf(uri);
          return (
            <div key={at} className="flex flex-col gap-1">
              <div className="flex items-center gap-1">
                <input
                  className={inputClass}
                  aria-label={`Redirect URI ${at + 1}`}
                  aria-invalid={fault !== undefined || undefined}
                  aria-describedby={fault === undefined ? undefined : `${id}-${at}`}
                  inputMode="url"
                  spellCheck={false}
                  required={at === 0}
                  maxLength={2_000}
                  placeholder={at === 0 ? 'https://example.com/callback' : undefined}
                  value={uri}
                  onChange={(event) => onChange(uris.with(at, event.target.value))}
                />
                <IconButton
                  label={`Remove redirect URI ${at + 1}`}
                  disabled={uris.length === 1}
                  onClick={() => {
                    focusNext.current = Math.max(0, at - 1);
                    onChange(uris.toSpliced(at, 1));
                  }}
                >
                  <X size={16} />
                </IconButton>
              </div>
              {fault !== undefined && (
                <p id={`${id}-${at}`} className="text-[13px] text-danger">
                  {fault}
                </p>
              )}
            </div>
          );
        })}
      </div>
      {problem !== undefined && <p className="mt-1.5 text-[13px] text-danger">{problem}</p>}
      <p id={`${id}-hint`} className="mt-1.5 text-[13px] text-ink-faint">
        Where people are sent back to, compared character by character. https, or http for this computer (localhost).
      </p>
      <Button
        size="small"
        className="mt-2"
        icon={<Plus size={15} />}
        disabled={uris.length >= 100}
        onClick={() => {
          focusNext.current = uris.length;
          onChange([...uris, '']);
        }}
      >
        Add redirect URI
      </Button>
    </fieldset>
  );
};
