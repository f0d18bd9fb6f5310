import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { classNames } from './class-names.ts';
import { keepFocusElsewhere } from './focus.ts';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** `beside`: on a wide screen there is room for a second column. */
  wide?: boolean | 'beside';
  children: ReactNode;
}

/** What had the focus when the dialog opened has it again when it closes: a cell of the grid has no button that the library would know of. */
const useFocusBefore = (open: boolean): ((event: Event) => void) => {
  const before = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) before.current = document.activeElement;
  wasOpen.current = open;
  return (event) => {
    keepFocusElsewhere(event);
    if (event.defaultPrevented) return;
    if (!(before.current instanceof HTMLElement) || !before.current.isConnected || before.current === document.body)
      return;
    event.preventDefault();
    before.current.focus();
  };
};

/** What has to be filled in has the focus, not the button that closes. */
const focusWhatIsAsked = (event: Event): void => {
  const asked = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('input[required], textarea[required]');
  if (asked === null) return;
  event.preventDefault();
  asked.focus();
};

export const Dialog = ({ open, onClose, title, description, wide = false, children }: DialogProps) => {
  const giveBack = useFocusBefore(open);
  // What was typed is not lost to a click beside the dialog.
  const isTyped = useRef(false);
  if (!open) isTyped.current = false;
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)] animate-appear" />
        <Radix.Content
          onOpenAutoFocus={focusWhatIsAsked}
          onCloseAutoFocus={giveBack}
          onInput={() => (isTyped.current = true)}
          onInteractOutside={(event) => isTyped.current && event.preventDefault()}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={classNames(
            'fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col overflow-y-auto rounded-2xl border border-line bg-raised p-5 shadow-float focus:outline-none sm:p-6',
            wide === 'beside' ? 'max-w-2xl lg:max-w-5xl' : wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <div className="mb-4 flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-[17px] leading-6 font-semibold break-words">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-ink-soft">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-mt-1 -mr-1.5">
                <X size={18} />
              </IconButton>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
