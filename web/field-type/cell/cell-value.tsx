import type { Field } from '@rowhouse/contract/field.ts';
import { Paperclip } from 'lucide-react';
import { pictureOf } from '../../app/pictures.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { linkOf } from './cell-link.ts';
import { cellText, choicesOf, filesOf, listOf, pathOf, peopleOf, titlesOf } from '../../record-data/cell/cell-text.ts';
import { Pill } from './pill.tsx';

/** Of a list that may have thousands. */
const mostShown = 50;

const More = ({ count }: { count: number }) =>
  count > 0 ? <span className="text-ink-faint">and {count.toLocaleString('en')} more</span> : null;

/** A cell outside of the grid, as its field shows it. */
export const CellValue = ({ field, value }: { field: Pick<Field, 'type' | 'options'>; value: unknown }) => {
  if (value === null || value === undefined) return <span className="text-ink-faint">Empty</span>;
  if (Array.isArray(value) && (field.type === 'checkbox' || field.type === 'rating'))
    return <>{cellText(field, value)}</>;
  switch (field.type) {
    case 'checkbox':
      return <>{value === true ? '☑ Yes' : 'No'}</>;
    case 'rating':
      return <span aria-label={`${String(value)} stars`}>{'★'.repeat(Number(value))}</span>;
    case 'singleSelect':
    case 'multipleSelect':
      return (
        <span className="flex flex-wrap gap-1.5">
          {listOf(value).map((name) => (
            <Pill
              key={String(name)}
              text={String(name)}
              color={choicesOf(field).find((choice) => choice.name === name)?.color ?? 'grayLight1'}
            />
          ))}
        </span>
      );
    case 'link':
      return (
        <span className="flex flex-wrap gap-1.5">
          {titlesOf(listOf(value).slice(0, mostShown)).map((title, at) => (
            <Pill key={at} text={title} color="grayLight1" />
          ))}
          <More count={listOf(value).length - mostShown} />
        </span>
      );
    case 'user':
    case 'createdBy':
    case 'lastModifiedBy':
      return (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          {peopleOf(value).map((person) => (
            <span key={person.id} className="inline-flex items-center gap-1.5">
              <Avatar name={person.title} seed={person.id} picture={pictureOf(person.id)} small />
              {person.title}
            </span>
          ))}
        </span>
      );
    case 'attachment':
      return (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          {filesOf(value).map(({ id, name, smThumbnailUrl }) => (
            <span key={id} className="inline-flex items-center gap-1.5">
              {smThumbnailUrl === undefined ? (
                <Paperclip size={13} className="text-ink-faint" aria-hidden />
              ) : (
                <img src={pathOf(smThumbnailUrl)} alt="" className="size-6 rounded object-cover" />
              )}
              {name}
            </span>
          ))}
        </span>
      );
    default: {
      const href = linkOf(field, value);
      if (Array.isArray(value) && value.length > mostShown) {
        return (
          <>
            {cellText(field, value.slice(0, mostShown))} <More count={value.length - mostShown} />
          </>
        );
      }
      if (href === undefined) return <>{cellText(field, value)}</>;
      return (
        <a className="text-accent underline" href={href} target="_blank" rel="noopener noreferrer">
          {cellText(field, value)}
        </a>
      );
    }
  }
};
