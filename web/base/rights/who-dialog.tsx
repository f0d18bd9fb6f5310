// Who sees a field or a record, and why: for those who manage the rights.
import { whoSees } from '@rowhouse/contract/rights-explained.ts';
import { useQuery } from '@tanstack/react-query';
import { Database, Eye, EyeOff, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../app/call.ts';
import { beginViewing } from '../../app/viewing.ts';
import { type AskedWho, askWho } from '../../app/who-state.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { reasonsOf } from './who-words.ts';

const extents = { all: 'Sees it', some: 'Sees some', none: 'Does not see it' } as const;
const inSight = { all: Eye, some: Eye, none: EyeOff };

const Row = ({
  picture,
  name,
  sees,
  reasons,
  action,
}: {
  picture: ReactNode;
  name: string;
  sees: keyof typeof extents;
  reasons: readonly string[];
  action?: ReactNode;
}) => {
  const Icon = inSight[sees];
  return (
    <li className="flex items-start gap-3 py-2.5">
      <span className="mt-0.5 shrink-0">{picture}</span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium break-words">{name}</span>
          <span className={`flex items-center gap-1 text-[13px] ${sees === 'none' ? 'text-ink-faint' : 'text-accent'}`}>
            <Icon size={13} aria-hidden /> {extents[sees]}
          </span>
        </p>
        {reasons.map((reason) => (
          <p key={reason} className="text-[13px] break-words text-ink-soft">
            {reason}
          </p>
        ))}
      </div>
      {action}
    </li>
  );
};

export const WhoDialog = ({ baseId, asked }: { baseId: string; asked: AskedWho }) => {
  const { tableId, fieldId, recordId, name } = asked;
  const what = {
    tableId,
    ...(fieldId === undefined ? {} : { fieldId }),
    ...(recordId === undefined ? {} : { recordId }),
  };
  const who = useQuery({
    queryKey: ['rights', baseId, 'who', what],
    queryFn: ({ signal }) => call(whoSees, { params: { baseId }, query: what, signal }),
    staleTime: 0,
  });
  const { data } = who;
  return (
    <Dialog
      open
      wide
      onClose={() => askWho(null)}
      title={`Who sees ${name}`}
      description={
        fieldId === undefined ? 'This record, by the rights of this base.' : 'This field, by the rights of this base.'
      }
    >
      <ProblemNote error={who.error} />
      {who.isPending && <Loading />}
      {data !== undefined && (
        <ul className="divide-y divide-line">
          {data.people.map((person) => (
            <Row
              key={person.id}
              picture={<Avatar seed={person.id} name={person.name} picture={person.avatar} small />}
              name={person.name}
              sees={person.sees}
              reasons={reasonsOf(person)}
              action={
                (person.standing === 'roles' || person.standing === 'defaultRole') && (
                  <Button
                    size="small"
                    look="ghost"
                    onClick={() => beginViewing({ baseId, as: person.id, name: person.name })}
                  >
                    View as
                  </Button>
                )
              }
            />
          ))}
          {data.shares.map(({ viewId, viewName, sees }) => (
            <Row
              key={viewId}
              picture={<Share2 size={18} className="text-ink-faint" aria-hidden />}
              name={`Visitors of the shared view ${viewName}`}
              sees={sees}
              reasons={['Anyone with its address.']}
            />
          ))}
          {data.sqlReaders && (
            <Row
              picture={<Database size={18} className="text-ink-faint" aria-hidden />}
              name="SQL access"
              sees="all"
              reasons={['Anyone who has its password reads the whole base.']}
            />
          )}
        </ul>
      )}
      {data !== undefined && data.peopleOmitted > 0 && (
        <p className="text-[13px] text-ink-soft">{data.peopleOmitted} more members are not listed.</p>
      )}
    </Dialog>
  );
};
