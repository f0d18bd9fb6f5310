import { rotateAutomationAddress } from '@rowhouse/contract/automation.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';

/** The secret address by which another program starts an automation. */
export const IncomingAddress = ({ baseId, automationId }: { baseId: string; automationId: string }) => {
  const make = useMutation({
    mutationFn: () => call(rotateAutomationAddress, { params: { baseId, automationId } }),
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-soft">
        Another program sends a POST with JSON to a secret address. A new one replaces the one before.
      </p>
      <Button busy={make.isPending} onClick={() => make.mutate()}>
        Make a new address
      </Button>
      <ProblemNote error={make.error} />
      {make.data !== undefined && (
        <SecretDialog
          kind="address"
          title="Copy the address now"
          warning="Anyone who has it can start this automation."
          secret={make.data.url}
          onClose={() => make.reset()}
        />
      )}
    </div>
  );
};
