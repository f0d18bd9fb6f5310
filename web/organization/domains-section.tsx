// Domains of the organisation, with the records that show that they are its own.
import { checkDomain, claimDomain, type ClaimedDomain, removeDomain } from '@rowhouse/contract/enterprise.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { timeAgo } from '../ui/time.ts';
import { showToast } from '../ui/toast.ts';
import { domainsQuery, reload } from './queries.ts';

const stateOf = ({ isVerified, missingSince, checkedTime }: ClaimedDomain): string => {
  if (isVerified && missingSince !== null) return `Verified, but its record is missing since ${timeAgo(missingSince)}`;
  if (isVerified) return 'Verified';
  return checkedTime === null ? 'Not checked yet' : `Not found when it was last checked, ${timeAgo(checkedTime)}`;
};

const Record = ({ domain }: { domain: ClaimedDomain }) => (
  <div className="mt-2 rounded-lg bg-sunken px-3 py-2.5 text-[13px]">
    <p className="text-ink-soft">Make this TXT record, and leave it there: it is looked for every day.</p>
    {[domain.recordName, domain.recordValue].map((text) => (
      <div key={text} className="mt-2 flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono break-all select-all">{text}</code>
        <CopyButton text={text} />
      </div>
    ))}
  </div>
);

const DomainRow = ({
  organizationId,
  domain,
  onRemove,
}: {
  organizationId: string;
  domain: ClaimedDomain;
  onRemove: () => void;
}) => {
  const check = useMutation({
    mutationFn: () => call(checkDomain, { params: { organizationId, domainId: domain.id } }),
    onSuccess: ({ isVerified }) =>
      showToast({
        kind: isVerified ? 'note' : 'problem',
        title: isVerified ? `${domain.domain} is verified.` : 'The record is not there yet.',
        ...(isVerified ? {} : { detail: 'Name servers may need some minutes to tell of a new record.' }),
      }),
    onSettled: reload,
  });
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-medium break-words">{domain.domain}</p>
          <p className="text-[13px] text-ink-soft">{stateOf(domain)}</p>
        </div>
        <div className="flex gap-2">
          <Button
            size="small"
            busy={check.isPending}
            onClick={() => check.mutate()}
            aria-label={`Check ${domain.domain}`}
          >
            Check now
          </Button>
          <Button size="small" look="ghost" onClick={onRemove} aria-label={`Give up ${domain.domain}`}>
            Give up
          </Button>
        </div>
      </div>
      <ProblemNote error={check.error} />
      {(!domain.isVerified || domain.missingSince !== null) && <Record domain={domain} />}
    </li>
  );
};

export const DomainsSection = ({ organizationId }: { organizationId: string }) => {
  const { data, error, isPending } = useQuery(domainsQuery(organizationId));
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<ClaimedDomain | null>(null);
  return (
    <Section
      title="Domains"
      lead="People with addresses of verified domains belong to the organisation: it makes accounts for them and signs them in."
      actions={
        <Button size="small" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
          Add domain
        </Button>
      }
    >
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data?.length === 0 && <p className="text-ink-soft">There are no domains yet.</p>}
      <ul aria-label="Domains" className="divide-y divide-line">
        {data?.map((domain) => (
          <DomainRow
            key={domain.id}
            organizationId={organizationId}
            domain={domain}
            onRemove={() => setRemoving(domain)}
          />
        ))}
      </ul>
      {isAdding && (
        <NameDialog
          title="Add domain"
          label="Domain, such as example.com"
          action="Add"
          onClose={() => setAdding(false)}
          onSubmit={async (domain) => {
            await call(claimDomain, { params: { organizationId }, body: { domain: domain.toLowerCase() } });
            await reload();
          }}
        />
      )}
      {removing !== null && (
        <ConfirmDialog
          title={`Give up ${removing.domain}?`}
          description="Providers of the organisation no longer sign in people with addresses of it. Members stay."
          action="Give up"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await call(removeDomain, { params: { organizationId, domainId: removing.id } });
            await reload();
          }}
        />
      )}
    </Section>
  );
};
