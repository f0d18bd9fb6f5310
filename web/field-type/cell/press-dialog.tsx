import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { buttonOptions } from './button-words.ts';
import { dismissPress, pressNow, useAskedPress } from './press.ts';

/** The question of a button that asks before it does anything. */
export const PressDialog = () => {
  const asked = useAskedPress();
  if (asked === null) return null;
  const { label, confirm } = buttonOptions(asked.field);
  return (
    <Dialog
      open
      onClose={dismissPress}
      title={confirm?.title ?? `${label}?`}
      {...(confirm?.description === undefined ? {} : { description: confirm.description })}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={dismissPress}>Cancel</Button>
        <Button
          look="primary"
          autoFocus
          onClick={() => {
            dismissPress();
            void pressNow(asked);
          }}
        >
          {confirm?.confirmText ?? label}
        </Button>
      </div>
    </Dialog>
  );
};
