// What a field of texts would link to, told before it is saved.
import type { Field } from '@rowhouse/contract/field.ts';
import { useQuery } from '@tanstack/react-query';
import { counted } from '../../ui/toast.ts';
import { mostLinked, planLinks } from './convert-to-link.ts';

interface LinkPreviewProps {
  tableId: string;
  field: Field;
  options: Record<string, unknown>;
  /** The table that it links to. */
  there: string;
  createsMissing: boolean;
}

const noteClass = 'rounded-lg bg-sunken px-3 py-2 text-ink-soft';
const mostNamed = 5;

export const LinkPreview = ({ tableId, field, options, there, createsMissing }: LinkPreviewProps) => {
  const { foreignTableId, relationship } = options;
  const { data, error } = useQuery({
    queryKey: ['link-preview', tableId, field.id, foreignTableId, relationship],
    queryFn: ({ signal }) => planLinks(tableId, field, { options }, signal),
    retry: false,
    gcTime: 0,
  });
  if (error !== null) return null;
  if (data === undefined)
    return (
      <p role="status" className={noteClass}>
        Checking which cells match…
      </p>
    );
  const { matched, missing, filled } = data;
  const names = missing.slice(0, mostNamed).map((title) => `“${title}”`);
  return (
    <div role="status" className={noteClass}>
      <p>
        {matched.toLocaleString('en')} of {counted(filled, 'cell')} match records of {there}.
      </p>
      {missing.length > 0 && (
        <p className="mt-1 break-words">
          {createsMissing
            ? `${counted(missing.length, 'record')} will be created there: `
            : `${counted(missing.length, 'title')} will be lost: `}
          {names.join(', ')}
          {missing.length > mostNamed ? ` and ${(missing.length - mostNamed).toLocaleString('en')} more.` : '.'}
        </p>
      )}
      {filled >= mostLinked && <p className="mt-1">Only the first {mostLinked.toLocaleString('en')} were checked.</p>}
    </div>
  );
};
