import { classNames } from '../ui/class-names.ts';

interface UsageMeterProps {
  label: string;
  used: number;
  /** Absent: there is none. */
  limit?: number | undefined;
  text: (value: number) => string;
  /** Said instead of the limit. */
  note?: string | undefined;
}

export const UsageMeter = ({ label, used, limit, text, note }: UsageMeterProps) => {
  const share = limit === undefined ? 0 : limit === 0 ? (used > 0 ? 1 : 0) : Math.min(1, used / limit);
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-3">
        <span className="font-medium">{label}</span>
        <span className="text-ink-soft tabular-nums">
          {text(used)}
          {limit !== undefined && ` of ${text(limit)}`}
          {note !== undefined && `, ${note}`}
        </span>
      </div>
      {limit !== undefined && (
        <div
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={`${text(used)} of ${text(limit)}`}
          className="h-2 overflow-hidden rounded-full bg-sunken"
        >
          <div
            className={classNames('h-full rounded-full', share >= 0.9 ? 'bg-danger' : 'bg-accent')}
            style={{ width: `${used === 0 ? 0 : Math.max(share * 100, 1)}%` }}
          />
        </div>
      )}
    </div>
  );
};
