import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  /** What it is: token, secret. */
  kind: string;
  title: string;
  /** What anyone who has it can do. */
  warning: string;
  secret: string;
  onClose: () => void;
}

/** Something that is shown once, to be copied. */
export const SecretDialog = ({ kind, title, warning, secret, onClose }: SecretDialogProps) => (
  <Dialog open onClose={onClose} title={title} description={`It is shown only once. ${warning}`}>
    <div className="flex flex-col gap-4">
      <code data-testid={kind} className="rounded-lg bg-sunken px-3 py-2.5 font-mono text-[13px] break-all select-all">
        {secret}
      </code>
      <div className="flex justify-end gap-2">
        <CopyButton text={secret} label={`Copy ${kind}`} />
        <Button size="small" look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  </Dialog>
);
