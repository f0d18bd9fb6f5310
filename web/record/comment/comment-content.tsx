import type { CommentBlock, CommentInline } from '@rowhouse/contract/comment.ts';
import { classNames } from '../../ui/class-names.ts';

const safe = /^(https?:\/\/|mailto:|tel:)/i;

const Inline = ({
  part,
  me,
  onOpenRecord,
}: {
  part: CommentInline;
  me: string;
  onOpenRecord: (recordId: string) => void;
}) => {
  if (part.type === 'span') return <>{part.value}</>;
  if (part.type === 'a') {
    if (!safe.test(part.url)) return <>{part.title}</>;
    return (
      <a href={part.url} target="_blank" rel="noopener noreferrer" className="text-accent underline underline-offset-2">
        {part.title === '' ? part.url : part.title}
      </a>
    );
  }
  const { value, name } = part;
  const look = classNames(
    'rounded px-1 font-medium',
    value === me ? 'bg-warn-soft text-warn' : 'bg-accent-soft text-accent',
  );
  if (name === undefined) return <span className="text-ink-soft line-through">@gone</span>;
  if (!value.startsWith('rec')) return <span className={look}>@{name}</span>;
  return (
    <button type="button" className={classNames(look, 'hover:underline')} onClick={() => onOpenRecord(value)}>
      @{name}
    </button>
  );
};

export const CommentContent = ({
  content,
  me,
  onOpenRecord,
}: {
  content: readonly CommentBlock[];
  me: string;
  onOpenRecord: (recordId: string) => void;
}) => (
  <div className="flex flex-col gap-1 break-words whitespace-pre-wrap">
    {content.map((block, at) =>
      block.type === 'p' ? (
        <p key={at} className="min-h-[1lh]">
          {block.children.map((part, place) => (
            <Inline key={place} part={part} me={me} onOpenRecord={onOpenRecord} />
          ))}
        </p>
      ) : block.url === undefined ? (
        <p key={at} className="text-ink-soft">
          The image was deleted.
        </p>
      ) : (
        <a key={at} href={block.url} target="_blank" rel="noopener noreferrer" className="self-start">
          <img
            src={block.url}
            alt="In the comment"
            loading="lazy"
            className="max-h-72 max-w-full rounded-lg border border-line"
          />
        </a>
      ),
    )}
  </div>
);
