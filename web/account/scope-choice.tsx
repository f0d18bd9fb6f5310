import type { Action } from '@rowhouse/contract/permission.ts';
import { classNames } from '../ui/class-names.ts';
import { type ScopeGroup, scopeGroups } from './scope-words.ts';

interface ScopeChoiceProps {
  chosen: readonly Action[];
  onChange: (chosen: readonly Action[]) => void;
  legend?: string;
  groups?: readonly ScopeGroup[];
  /** All of it, where the form is long and scrolls anyway. */
  unfolded?: boolean;
}

export const ScopeChoice = ({
  chosen,
  onChange,
  legend = 'Permissions',
  groups = scopeGroups,
  unfolded = false,
}: ScopeChoiceProps) => {
  const toggle = (actions: readonly Action[], on: boolean): void =>
    onChange(on ? [...new Set([...chosen, ...actions])] : chosen.filter((action) => !actions.includes(action)));
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">{legend}</legend>
      <div
        className={classNames(
          'grid gap-x-6 gap-y-4 rounded-lg border border-line p-4 sm:grid-cols-3',
          !unfolded && 'max-h-72 overflow-y-auto',
        )}
      >
        {groups.map(({ title, scopes }) => {
          const all = scopes.map(({ action }) => action);
          return (
            <div key={title}>
              <label className="flex items-center gap-2 font-medium">
                <input
                  type="checkbox"
                  className="size-4 accent-[var(--accent)]"
                  checked={all.every((action) => chosen.includes(action))}
                  onChange={(event) => toggle(all, event.target.checked)}
                />
                {title}
              </label>
              <div className="mt-1 flex flex-col gap-0.5 pl-6">
                {scopes.map(({ action, words }) => (
                  <label key={action} className="flex items-center gap-2 text-[13px] text-ink-soft">
                    <input
                      type="checkbox"
                      className="size-3.5 accent-[var(--accent)]"
                      checked={chosen.includes(action)}
                      onChange={(event) => toggle([action], event.target.checked)}
                    />
                    {words}
                  </label>
                ))}
              </div>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
};
