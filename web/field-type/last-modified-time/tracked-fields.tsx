import type { Field } from '@rowhouse/contract/field.ts';
import type { OptionsProps } from '../option/field-form.ts';

/** Which changes count: of all fields, or of those that are chosen. */
export const TrackedFields = ({ fields, options, onChange }: OptionsProps & { fields: readonly Field[] }) => {
  const tracked = Array.isArray(options['trackedFieldIds']) ? (options['trackedFieldIds'] as string[]) : [];
  const set = (ids: readonly string[]): void => {
    const { trackedFieldIds: _before, ...rest } = options;
    onChange(ids.length === 0 ? rest : { ...rest, trackedFieldIds: ids });
  };
  return (
    <fieldset>
      <legend className="mb-1 text-ink-soft">
        {tracked.length === 0 ? 'Changes to all fields count' : 'Changes to the selected fields count'}
      </legend>
      <div className="max-h-40 overflow-y-auto rounded-lg border border-line px-3 py-2">
        {fields
          .filter(({ isComputed }) => isComputed !== true)
          .map(({ id, name }) => (
            <label key={id} className="flex items-center gap-2.5 py-0.5">
              <input
                type="checkbox"
                className="size-4 accent-[var(--accent)]"
                checked={tracked.includes(id)}
                onChange={({ target }) => set(target.checked ? [...tracked, id] : tracked.filter((one) => one !== id))}
              />
              {name}
            </label>
          ))}
      </div>
    </fieldset>
  );
};
