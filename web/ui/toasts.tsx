import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { IconButton } from './icon-button.tsx';
import { dismissToast, type Toast, useToasts } from './toast.ts';

const ToastCard = ({ toast }: { toast: Toast }) => (
  <div className="pointer-events-auto flex w-full items-start gap-3 rounded-xl border border-line bg-raised py-2.5 pr-2 pl-3.5 shadow-float animate-appear">
    {toast.kind === 'problem' ? (
      <TriangleAlert size={17} className="mt-1 shrink-0 text-danger" aria-hidden />
    ) : (
      <CircleCheck size={17} className="mt-1 shrink-0 text-accent" aria-hidden />
    )}
    <div className="min-w-0 flex-1 py-0.5">
      <p className="font-medium break-words">{toast.title}</p>
      {toast.detail !== undefined && <p className="text-[13px] break-words text-ink-soft">{toast.detail}</p>}
    </div>
    {toast.action !== undefined && (
      <button
        type="button"
        className="h-8 rounded-lg px-2 font-medium text-accent hover:bg-accent-soft"
        onClick={() => {
          toast.action?.run();
          dismissToast(toast.id);
        }}
      >
        {toast.action.label}
      </button>
    )}
    <IconButton label="Dismiss" onClick={() => dismissToast(toast.id)}>
      <X size={16} />
    </IconButton>
  </div>
);

export const Toasts = () => {
  const toasts = useToasts();
  return (
    <div role="status" aria-live="polite" className="pointer-events-none fixed right-4 bottom-4 left-4 z-[60] flex flex-col items-end gap-2 sm:left-auto sm:w-96">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
};
