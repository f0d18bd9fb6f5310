// All share links of a space, for its owners.
import { deleteBaseShare, listSpaceBaseShares, type SpaceBaseShare } from '@rowhouse/contract/base-share.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { endSpaceShare, listSpaceShares, type SpaceShare } from '@rowhouse/contract/share.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { counted, showProblem } from '../ui/toast.ts';
import { SpaceFrame } from './space-frame.tsx';

const sharesQuery = (spaceId: string) => ({
  queryKey: ['spaces', spaceId, 'shares'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listSpaceShares, { params: { spaceId }, signal }),
});

const baseSharesQuery = (spaceId: string) => ({
  queryKey: ['spaces', spaceId, 'base-shares'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listSpaceBaseShares, { params: { spaceId }, signal }),
});

const timeText = (moment: string): string => new Date(moment).toLocaleString();

const Row = ({ spaceId, share }: { spaceId: string; share: SpaceShare }) => {
  const end = async (): Promise<void> => {
    try {
      await call(endSpaceShare, { params: { spaceId, shareId: share.shareId } });
      await queryClient.invalidateQueries({ queryKey: sharesQuery(spaceId).queryKey });
    } catch (error) {
      showProblem(error, 'Sharing was not stopped.');
    }
  };
  const facts = [
    share.openedCount === 0
      ? 'Never opened'
      : `Opened ${share.openedCount === 1 ? 'once' : `${share.openedCount} times`} by ${counted(share.visitorCount, 'visitor')}`,
    ...(share.lastOpenedTime === null ? [] : [`last ${timeText(share.lastOpenedTime)}`]),
    ...(shapeOf(share.viewType).share === 'answers' ? [counted(share.answerCount, 'response')] : []),
    share.hasPassword ? 'with a password' : 'without a password',
    ...(share.expiresTime === null ? [] : [`until ${timeText(share.expiresTime)}`]),
  ];
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="font-medium break-words">{share.viewName}</p>
        <p className="text-ink-soft">
          {share.baseName} / {share.tableName}
        </p>
        <p className="text-[13px] text-ink-faint">{facts.join(', ')}</p>
      </div>
      <div className="flex gap-2">
        <CopyButton text={share.url} label="Copy link" />
        <Button size="small" look="danger" aria-label={`Stop sharing ${share.viewName}`} onClick={() => void end()}>
          Stop sharing
        </Button>
      </div>
    </li>
  );
};

const BaseRow = ({ spaceId, share }: { spaceId: string; share: SpaceBaseShare }) => {
  const { baseId, shareId } = share;
  const name = share.name ?? share.baseName;
  const end = async (): Promise<void> => {
    try {
      await call(deleteBaseShare, { params: { baseId, shareId } });
      await queryClient.invalidateQueries({ queryKey: baseSharesQuery(spaceId).queryKey });
    } catch (error) {
      showProblem(error, 'Sharing was not stopped.');
    }
  };
  const facts = [
    `Shared ${timeText(share.createdTime)}`,
    share.password ? 'with a password' : 'without a password',
    ...(share.allowSave ? ['may be copied'] : []),
    ...(share.enabled ? [] : ['turned off']),
  ];
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-ink-soft">{share.name === null ? 'Whole base' : `In ${share.baseName}`}</p>
        <p className="text-[13px] text-ink-faint">{facts.join(', ')}</p>
      </div>
      <div className="flex gap-2">
        <CopyButton text={share.url} label="Copy link" />
        <Button size="small" look="danger" aria-label={`Stop sharing ${name}`} onClick={() => void end()}>
          Stop sharing
        </Button>
      </div>
    </li>
  );
};

export const SharesPage = () => {
  const { spaceId } = useParams({ from: '/signed-in/space/$spaceId/shares' });
  const { data, error } = useQuery(sharesQuery(spaceId));
  const bases = useQuery(baseSharesQuery(spaceId));
  const isEmpty = data?.length === 0 && bases.data?.length === 0;
  return (
    <SpaceFrame spaceId={spaceId}>
      {() => (
        <Section
          title="Share links"
          lead="Anyone with a link can see what its view or base shows, or fill in its form."
        >
          <ProblemNote error={error ?? bases.error} />
          {data === undefined && error === null && <Loading />}
          {isEmpty && (
            <p className="text-ink-soft">Nothing is shared yet. To share a view, open it and choose “Share”.</p>
          )}
          <ul aria-label="Shared bases" className="divide-y divide-line empty:hidden">
            {bases.data?.map((share) => (
              <BaseRow key={share.shareId} spaceId={spaceId} share={share} />
            ))}
          </ul>
          <ul aria-label="Share links" className="divide-y divide-line empty:hidden">
            {data?.map((share) => (
              <Row key={share.shareId} spaceId={spaceId} share={share} />
            ))}
          </ul>
        </Section>
      )}
    </SpaceFrame>
  );
};
