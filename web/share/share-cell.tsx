// A cell as visitors see it.
import type { Field } from '@rowhouse/contract/field.ts';
import { linkOf } from '../table/cell/cell-link.ts';
import { cellText, choicesOf, filesOf, listOf, pathOf, titlesOf } from '../table/cell/cell-text.ts';
import { Pill } from '../table/cell/pill.tsx';

export const ShareCell = ({ field, value }: { field: Field; value: unknown }) => {
  if (value === null || value === undefined) return null;
  switch (field.type) {
    case 'checkbox':
      return <>{value === true ? '☑' : cellText(field, value)}</>;
    case 'rating':
      return typeof value === 'number' ? <span aria-label={`${value} stars`}>{'★'.repeat(value)}</span> : <>{cellText(field, value)}</>;
    case 'singleSelect':
    case 'multipleSelect':
      return (
        <span className="flex flex-wrap gap-1">
          {listOf(value).map((name) => (
            <Pill key={String(name)} text={String(name)} color={choicesOf(field).find((choice) => choice.name === name)?.color ?? 'grayLight1'} />
          ))}
        </span>
      );
    case 'link':
      return (
        <span className="flex flex-wrap gap-1">
          {titlesOf(value).map((title, at) => (
            <Pill key={at} text={title} color="grayLight1" />
          ))}
        </span>
      );
    case 'attachment':
      return (
        <span className="flex flex-wrap gap-1.5">
          {filesOf(value).map(({ id, name, presignedUrl, smThumbnailUrl }) => (
            <a key={id} href={presignedUrl === undefined ? undefined : pathOf(presignedUrl)} target="_blank" rel="noopener noreferrer" className="text-accent underline">
              {smThumbnailUrl === undefined ? name : <img src={pathOf(smThumbnailUrl)} alt={name} className="h-8 rounded object-cover" />}
            </a>
          ))}
        </span>
      );
    default: {
      const href = linkOf(field, value);
      const text = cellText(field, value);
      return href === undefined ? <>{text}</> : <a className="text-accent underline" href={href} target="_blank" rel="noopener noreferrer">{text}</a>;
    }
  }
};
