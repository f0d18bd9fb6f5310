// The files of a cell that is only looked at.
import { Paperclip } from 'lucide-react';
import { filesOf, pathOf } from '../cell/cell-parts.ts';
import { openPreview } from './preview.ts';

export const FilesValue = ({ value, archive }: { value: unknown; archive: string | undefined }) => {
  const files = filesOf(value);
  if (files.length === 0) return <span className="text-ink-faint">Empty</span>;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {files.map(({ id, name, smThumbnailUrl }, at) => (
        <button
          key={id}
          type="button"
          className="inline-flex items-center gap-1.5 rounded hover:text-accent"
          onClick={() => openPreview({ files, at, archive })}
        >
          {smThumbnailUrl === undefined ? (
            <Paperclip size={13} className="text-ink-faint" aria-hidden />
          ) : (
            <img src={pathOf(smThumbnailUrl)} alt="" className="size-6 rounded object-cover" />
          )}
          {name}
        </button>
      ))}
    </span>
  );
};
