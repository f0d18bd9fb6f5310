import { Paperclip, SquareCheck, Star } from 'lucide-react';
import { pictureOf } from '../../app/pictures.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { counted } from '../../ui/toast.ts';
import { pressWords } from './button-words.ts';
import { shownCell, shownText } from '../cell-text.ts';
import type { CellField, Shown } from '../field-type.ts';
import { linkOf } from './cell-link.ts';
import { pathOf } from './cell-parts.ts';
import { Pill } from './pill.tsx';

/** Of a list that may have thousands. */
const mostShown = 50;

const More = ({ count }: { count: number }) =>
  count > 0 ? <span className="text-ink-faint">and {count.toLocaleString('en')} more</span> : null;

const Text = ({ field, value }: { field: CellField; value: unknown }) => {
  const href = linkOf(field, value);
  if (Array.isArray(value) && value.length > mostShown) {
    return (
      <>
        {shownText(field, value.slice(0, mostShown))} <More count={value.length - mostShown} />
      </>
    );
  }
  if (href === undefined) return <>{shownText(field, value)}</>;
  return (
    <a className="text-accent underline" href={href} target="_blank" rel="noopener noreferrer">
      {shownText(field, value)}
    </a>
  );
};

const Pills = ({ pills, left }: Extract<Shown, { as: 'pills' }>) => {
  const arePeople = pills.some(({ person }) => person !== undefined);
  return (
    <span className={arePeople ? 'flex flex-wrap gap-x-3 gap-y-1' : 'flex flex-wrap gap-1.5'}>
      {pills.map(({ text, color, person }, at) =>
        person === undefined ? (
          <Pill key={at} text={text} color={color} />
        ) : (
          <span key={at} className="inline-flex items-center gap-1.5">
            <Avatar name={person.title} seed={person.id} picture={pictureOf(person.id)} small />
            {text}
          </span>
        ),
      )}
      <More count={left} />
    </span>
  );
};

const Files = ({ files }: Extract<Shown, { as: 'files' }>) => (
  <span className="flex flex-wrap gap-x-3 gap-y-1">
    {files.map(({ id, name, smThumbnailUrl }) => (
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

/** A cell outside of the grid, as its field shows it. */
export const CellValue = ({
  field,
  value,
  most = mostShown,
}: {
  field: CellField;
  value: unknown;
  /** Labels beyond these are counted. */
  most?: number;
}) => {
  if (value === null || value === undefined) return <span className="text-ink-faint">Empty</span>;
  const shown = shownCell(field, value, most);
  switch (shown.as) {
    case 'text':
      return <Text field={field} value={value} />;
    case 'tick':
      return shown.isTicked ? (
        <span className="inline-flex items-center gap-1.5">
          <SquareCheck size={15} className="text-accent" aria-hidden />
          Yes
        </span>
      ) : (
        <>No</>
      );
    case 'stars':
      return (
        <span
          role="img"
          aria-label={counted(shown.count, 'star')}
          className="inline-flex gap-0.5 align-middle text-[#e0a100]"
        >
          {Array.from({ length: shown.count }, (_item, at) => (
            <Star key={at} size={14} fill="currentColor" aria-hidden />
          ))}
        </span>
      );
    case 'pills':
      return <Pills {...shown} />;
    case 'pressable':
      return <>{pressWords(value)}</>;
    case 'files':
      return <Files {...shown} />;
  }
};
