// Files, one at a time and as large as the screen: arrows turn, Escape and Space close.
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, FileArchive, FileText, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useRef } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { pathOf } from '../cell/cell-parts.ts';
import { closePreview, fileSize, type Preview, turnPreview, usePreview } from './preview.ts';

const mostText = 1_000_000;

const essence = ({ mimetype }: Attachment): string => mimetype.split(';')[0]?.trim().toLowerCase() ?? '';

const TextFile = ({ url }: { url: string }) => {
  const text = useQuery({
    queryKey: ['file text', url],
    queryFn: async ({ signal }) => (await fetch(url, { signal, headers: { range: `bytes=0-${mostText - 1}` } })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <pre
      tabIndex={0}
      className="max-h-full max-w-full overflow-auto rounded-lg bg-surface p-4 text-[13px] whitespace-pre-wrap text-ink"
    >
      {text.error === null ? text.data : 'The file could not be read.'}
    </pre>
  );
};

const Content = ({ file }: { file: Attachment }) => {
  const url = file.presignedUrl === undefined ? undefined : pathOf(file.presignedUrl);
  const type = essence(file);
  if (url !== undefined) {
    if (file.lgThumbnailUrl !== undefined || /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/.test(type))
      return <img src={url} alt={file.name} className="max-h-full max-w-full object-contain" />;
    if (type.startsWith('video/')) return <video src={url} controls className="max-h-full max-w-full" />;
    if (type.startsWith('audio/')) return <audio src={url} controls />;
    if (type === 'application/pdf')
      return <iframe src={url} title={file.name} className="h-full w-full max-w-5xl rounded-lg border-0 bg-white" />;
    if ((type === 'text/plain' || type === 'text/csv' || type === 'application/json') && file.size <= mostText)
      return <TextFile url={url} />;
  }
  return (
    <div className="flex flex-col items-center gap-3 text-white">
      <FileText size={48} aria-hidden />
      <p>{url === undefined ? 'This file is not on this server.' : 'This type of file has no preview.'}</p>
    </div>
  );
};

const barButton = '!text-white hover:!bg-[rgb(255_255_255/0.15)]';

const download = (url: string): void => Object.assign(document.createElement('a'), { href: url, download: '' }).click();

const Shown = ({ files, at, archive }: Preview) => {
  const file = files[at] as Attachment;
  const url = file.presignedUrl === undefined ? undefined : pathOf(file.presignedUrl);
  const several = files.length > 1;
  return (
    <>
      <div className="flex items-center gap-3 px-4 py-2 text-white">
        <Dialog.Title className="min-w-0 flex-1 truncate text-[15px] font-medium">{file.name}</Dialog.Title>
        <span className="shrink-0 text-[13px] opacity-80">
          {several && `${at + 1} of ${files.length} · `}
          {fileSize(file.size)}
        </span>
        {url !== undefined && (
          <IconButton
            label="Download"
            className={barButton}
            onClick={() =>
              download(
                `${url}&response-content-disposition=${encodeURIComponent(`attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)}`,
              )
            }
          >
            <Download size={18} />
          </IconButton>
        )}
        {several && archive !== undefined && (
          <IconButton label="Download all" className={barButton} onClick={() => download(archive)}>
            <FileArchive size={18} />
          </IconButton>
        )}
        <Dialog.Close asChild>
          <IconButton label="Close preview" className={barButton}>
            <X size={20} />
          </IconButton>
        </Dialog.Close>
      </div>
      <div className="flex min-h-0 flex-1 items-center gap-2 px-2 pb-4">
        {several && (
          <IconButton label="Previous file" className={barButton} onClick={() => turnPreview(-1)}>
            <ChevronLeft size={26} />
          </IconButton>
        )}
        <div key={file.id} className="flex h-full min-w-0 flex-1 items-center justify-center">
          <Content file={file} />
        </div>
        {several && (
          <IconButton label="Next file" className={barButton} onClick={() => turnPreview(1)}>
            <ChevronRight size={26} />
          </IconButton>
        )}
      </div>
    </>
  );
};

export const FilePreview = () => {
  const preview = usePreview();
  const frame = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target } = event;
    if (key === 'ArrowLeft' || key === 'ArrowRight') turnPreview(key === 'ArrowLeft' ? -1 : 1);
    // A button is pressed with it, and a film goes on.
    else if (key === ' ' && target === frame.current) closePreview();
    else if (key !== 'Escape') return;
    else closePreview();
    event.preventDefault();
    // What lies below has keys of its own.
    event.stopPropagation();
  };
  return (
    <Dialog.Root open={preview !== null} onOpenChange={(open) => !open && closePreview()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-[rgb(0_0_0/0.85)]" />
        <Dialog.Content
          ref={frame}
          aria-describedby={undefined}
          className="fixed inset-0 z-50 flex flex-col focus:outline-none"
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            frame.current?.focus();
          }}
        >
          {preview !== null && <Shown {...preview} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
