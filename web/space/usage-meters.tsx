import type { BillingView } from '@rowhouse/contract/billing.ts';
import { bytesText, countText, limitOf } from './plan-words.ts';
import { UsageMeter } from './usage-meter.tsx';

export const UsageMeters = ({ plan: { usage, limit, unitAmount, maxDiskSize } }: Pick<BillingView, 'plan'>) => {
  const meters = [
    { label: 'Records', used: usage.numRows, limit: limitOf(limit.maxRows), text: countText },
    { label: 'Attachments', used: usage.attachmentSize, limit: limitOf(limit.maxSizeAttachments), text: bytesText },
    { label: 'On disk, with history', used: usage.diskSize, limit: maxDiskSize, text: bytesText },
    // A paid plan has seats, which the line above says; viewers and commenters take none.
    { label: 'People', used: usage.numCollaborators, limit: undefined, text: countText, isCountOnly: unitAmount > 0 },
    {
      label: 'Database connections',
      used: usage.numDatabaseConnections,
      limit: limitOf(limit.maxNumDatabaseConnections),
      text: countText,
    },
  ];
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {meters.map(({ isCountOnly, ...meter }) => (
        <UsageMeter
          key={meter.label}
          {...meter}
          note={meter.limit === undefined && isCountOnly !== true ? 'no limit' : undefined}
        />
      ))}
    </div>
  );
};
