// Opens a base for reading by SQL tools, and closes it again. The password is shown once.
import { createDbConnection, deleteDbConnection, getDbConnection } from '@rowhouse/contract/connection.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';

interface SqlAccessDialogProps {
  base: { id: string; name: string };
  onClose: () => void;
}

export const SqlAccessDialog = ({ base, onClose }: SqlAccessDialogProps) => {
  const params = { baseId: base.id };
  const queryKey = ['connection', base.id];
  const present = useQuery({ queryKey, queryFn: ({ signal }) => call(getDbConnection, { params, signal }) });
  const refresh = (): Promise<void> =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [first] }) => ['connection', 'billing', 'usage-history'].includes(String(first)),
    });
  const open = useMutation({ mutationFn: () => call(createDbConnection, { params }), onSuccess: refresh });
  const shut = useMutation({
    mutationFn: () => call(deleteDbConnection, { params }),
    onSuccess: async () => {
      open.reset();
      await refresh();
    },
  });
  const shown = open.data ?? present.data ?? undefined;
  const isBusy = open.isPending || shut.isPending;

  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={`SQL access to ${base.name}`}
      description="Read-only access to the tables of this base, for notebooks, BI tools or psql."
    >
      <div className="flex flex-col gap-4">
        {present.isPending && <Loading />}
        {shown !== undefined && (
          <>
            <div className="flex flex-col gap-2">
              <code
                data-testid="connection"
                className="rounded-lg bg-sunken px-3 py-2.5 font-mono text-[13px] break-all select-all"
              >
                {shown.url}
              </code>
              <p className="text-[13px] text-ink-soft">
                {open.data === undefined
                  ? 'The password was shown when access was opened. If you lost it, create a new one; the old one stops working.'
                  : 'The password is shown only once. Copy it now.'}{' '}
                The tables are in the schema <code className="font-mono">{base.id}</code>; {shown.connection.current} of{' '}
                {shown.connection.max} connections are in use.
              </p>
            </div>
            <div className="flex flex-wrap justify-end gap-2">
              <Button size="small" look="ghost" disabled={isBusy} onClick={() => shut.mutate()}>
                Close SQL access
              </Button>
              {open.data === undefined ? (
                <Button size="small" disabled={isBusy} onClick={() => open.mutate()}>
                  New password
                </Button>
              ) : (
                <CopyButton text={shown.url} label="Copy address" />
              )}
            </div>
          </>
        )}
        <ProblemNote error={open.error ?? shut.error ?? present.error} />
        {present.data === null && shown === undefined && (
          <Button look="primary" className="self-end" busy={open.isPending} onClick={() => open.mutate()}>
            Open SQL access
          </Button>
        )}
      </div>
    </Dialog>
  );
};
