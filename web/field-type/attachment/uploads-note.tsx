// How far uploads are, and what becomes of files that are let go, at the edge of the screen.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUploads } from './uploads.ts';

export const UploadsNote = () => {
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  return (
    <section
      aria-label="Uploads"
      className="fixed bottom-4 left-4 z-40 w-72 max-w-[calc(100vw-2rem)] rounded-xl border border-line bg-raised p-3 text-[13px] shadow-float print:hidden"
    >
      {uploads.map(({ key, name, share, cancel }) => (
        <div key={key} className="py-1">
          <div className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="text-ink-soft">{Math.round(share * 100)} %</span>
            {/* The focus stays where somebody works: this button is gone at once. */}
            <button
              type="button"
              aria-label={`Cancel the upload of ${name}`}
              className="rounded p-0.5 text-ink-faint hover:text-danger"
              onMouseDown={(event) => event.preventDefault()}
              onClick={cancel}
            >
              <X size={14} aria-hidden />
            </button>
          </div>
          <progress
            aria-label={`Upload of ${name}`}
            value={share}
            max={1}
            className="h-1.5 w-full accent-[var(--accent)]"
          />
        </div>
      ))}
    </section>
  );
};

export const DropNote = ({ children }: { children: ReactNode }) => (
  <p
    role="status"
    className="pointer-events-none fixed bottom-6 left-1/2 z-40 -translate-x-1/2 rounded-full border border-accent bg-raised px-4 py-2 text-[13px] font-medium shadow-float"
  >
    {children}
  </p>
);
