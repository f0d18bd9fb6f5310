import { Fragment, type MouseEvent } from 'react';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { counted, dismissToast, shownToast, type Toast, useToasts } from './toast.ts';

/** A click on a note leaves the focus where somebody works. */
const keepFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() };

/** Beside one sentence, or below what has more to say. */
const Action = ({ toast: { id, action }, className }: { toast: Toast; className: string }) =>
  action === undefined ? null : (
    <button
      type="button"
      {...keepFocus}
      className={`rounded-lg px-2 py-1 text-left font-medium text-accent hover:bg-accent-soft ${className}`}
      onClick={() => {
        action.run();
        dismissToast(id);
      }}
    >
      {action.label}
    </button>
  );

const ToastCard = ({ toast, waiting }: { toast: Toast; waiting: number }) => (
  <div className="pointer-events-auto flex w-full items-start gap-3 rounded-xl border border-line bg-raised py-2.5 pr-2 pl-3.5 shadow-float animate-appear">
    {toast.kind === 'problem' ? (
      <TriangleAlert size={17} className="mt-1 shrink-0 text-danger" aria-hidden />
    ) : (
      <CircleCheck size={17} className="mt-1 shrink-0 text-accent" aria-hidden />
    )}
    <div className="min-w-0 flex-1 py-0.5">
      <p className="font-medium break-words">{toast.title}</p>
      {toast.detail !== undefined && <p className="text-[13px] break-words text-ink-soft">{toast.detail}</p>}
      {toast.values !== undefined && (
        <dl className="mt-1.5 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-[13px]">
          {toast.values.map(({ label, text }) => (
            <Fragment key={label}>
              <dt className="text-ink-soft">{label}</dt>
              <dd className="max-h-24 min-w-0 overflow-y-auto break-words whitespace-pre-wrap">{text}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {toast.list !== undefined && (
        <ul
          aria-label={toast.title}
          tabIndex={0}
          className="mt-1 -ml-1.5 max-h-44 overflow-y-auto text-[13px] text-ink-soft"
        >
          {toast.list.map(({ text, run }, index) => (
            <li key={index} className="break-words [content-visibility:auto]">
              {run === undefined ? (
                <span className="block px-1.5 py-0.5">{text}</span>
              ) : (
                <button
                  type="button"
                  className="w-full rounded px-1.5 py-0.5 text-left hover:bg-sunken hover:text-ink"
                  onClick={run}
                >
                  {text}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {toast.detail !== undefined && <Action toast={toast} className="mt-1 -ml-2" />}
      {waiting > 0 && (
        <p className="mt-1 text-[12px] text-ink-faint">{counted(waiting, 'more note')} behind this one</p>
      )}
      {toast.choices !== undefined && (
        <div className="mt-2 mb-1 flex flex-wrap gap-2">
          {toast.choices.map(({ label, run }) => (
            <Button
              key={label}
              size="small"
              {...keepFocus}
              onClick={() => {
                dismissToast(toast.id);
                run();
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
    {toast.action !== undefined && toast.detail === undefined && (
      <Action toast={toast} className="min-h-8 max-w-[45%] shrink-0" />
    )}
    {toast.choices === undefined && (
      <IconButton label="Dismiss" {...keepFocus} onClick={() => dismissToast(toast.id)}>
        <X size={16} />
      </IconButton>
    )}
  </div>
);

export const Toasts = () => {
  const shown = shownToast(useToasts());
  return (
    // Beside the sidebar, and above the statistics of a grid. Not on the right: there are the buttons of the panels in which people work.
    <div
      role="status"
      aria-live="polite"
      // A note is answered without closing the dialog below it: that hears of every click beside it.
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-[60] flex flex-col items-end sm:right-auto sm:bottom-12 sm:left-[calc(var(--beside-sidebar,0px)+1rem)] sm:w-96"
    >
      {shown !== undefined && <ToastCard key={shown.toast.id} {...shown} />}
    </div>
  );
};
