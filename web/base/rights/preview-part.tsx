// What would change for whom, beside what is about to be saved.
import type { RightsDraft, TableChange } from '@rowhouse/contract/rights-explained.ts';
import { Minus, Plus } from 'lucide-react';
import { Spinner } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { changeLines } from './preview-words.ts';
import { usePreview } from './use-preview.ts';

const mark = { gain: Plus, loss: Minus, same: undefined };
const tone = { gain: 'text-accent', loss: 'text-danger', same: 'text-ink-soft' };

const Changes = ({ tables }: { tables: readonly TableChange[] }) => (
  <ul className="flex flex-col gap-2">
    {tables.map((change) => (
      <li key={change.tableId}>
        <p className="text-[13px] font-medium">{change.tableName}</p>
        <ul className="text-[13px]">
          {changeLines(change).map(({ kind, text }) => {
            const Icon = mark[kind];
            return (
              <li key={text} className="flex gap-1.5">
                <span className={`mt-1 w-3 shrink-0 ${tone[kind]}`}>
                  {Icon !== undefined && <Icon size={12} aria-hidden />}
                </span>
                <span className="min-w-0 break-words text-ink-soft">{text}</span>
              </li>
            );
          })}
        </ul>
      </li>
    ))}
  </ul>
);

const namesOf = (people: readonly { name: string }[]): string => {
  const shown = people.slice(0, 5).map(({ name }) => name);
  return people.length > shown.length
    ? `${shown.join(', ')} and ${people.length - shown.length} more`
    : shown.join(', ');
};

interface PreviewPartProps {
  baseId: string;
  draft: RightsDraft;
  /** Whether anybody is bound by them now. */
  isOn: boolean;
}

export const PreviewPart = ({ baseId, draft, isOn }: PreviewPartProps) => {
  const preview = usePreview(baseId, draft);
  const { data } = preview;
  const roleChanges = data?.role?.tables ?? [];
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3 rounded-xl bg-sunken p-4">
      <h3 className="flex items-center gap-2 font-medium">
        What this changes
        {preview.isBehind && <Spinner />}
      </h3>
      <ProblemNote error={preview.error} />
      {data !== undefined && preview.error === null && (
        <>
          {data.people.map(({ people, before, after, tables }) => (
            <div key={people[0]?.id} className="flex flex-col gap-1.5">
              <p className="font-medium break-words">{namesOf(people)}</p>
              {before !== after && after === 'noRole' && (
                <p className="text-[13px] text-danger">Without a role: sees no tables.</p>
              )}
              <Changes tables={tables} />
            </div>
          ))}
          {data.people.length === 0 && roleChanges.length > 0 && (
            <div className="flex flex-col gap-1.5">
              <p className="font-medium break-words">{data.role?.name}, for a member who has only this role</p>
              <Changes tables={roleChanges} />
            </div>
          )}
          {data.people.length === 0 && roleChanges.length === 0 && (
            <p className="text-[13px] text-ink-soft">Nothing changes for anybody.</p>
          )}
          <p className="text-[13px] text-ink-soft">
            {data.people.length > 0 &&
              data.unchanged > 0 &&
              `Nothing changes for ${data.unchanged === 1 ? 'one other person' : `${data.unchanged} others`}. `}
            {data.peopleOmitted > 0 && `${data.peopleOmitted} more members were not looked at. `}
            {!isOn && draft.enabled !== true && 'Rights are off: this takes effect when they are switched on.'}
          </p>
        </>
      )}
    </section>
  );
};
