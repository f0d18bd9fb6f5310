// Several of a few, all in sight, with a sentence for each.
interface CheckGroupProps {
  label: string;
  values: readonly string[];
  options: readonly { value: string; label: string; note?: string }[];
  onValues: (values: string[]) => void;
}

export const CheckGroup = ({ label, values, options, onValues }: CheckGroupProps) => (
  <fieldset>
    <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">{label}</legend>
    <div className="grid gap-x-6 gap-y-2 rounded-lg border border-line p-3 sm:grid-cols-2">
      {options.map(({ value, label: words, note }) => (
        <label key={value} className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
            checked={values.includes(value)}
            onChange={(event) =>
              onValues(event.target.checked ? [...values, value] : values.filter((one) => one !== value))
            }
          />
          <span className="min-w-0">
            {words}
            {note !== undefined && <span className="block text-[13px] text-ink-faint">{note}</span>}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);
