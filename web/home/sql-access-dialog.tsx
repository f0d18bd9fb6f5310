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

export interface SqlAccessDialogProps {
  base: { id: string; name: string };
  onClose: () => void;
}

export const SqlAccessDialog = ({ base, onClose }: SqlAccessDialogProps) => {
  const params = { baseId: base.id };
  const queryKey = ['connection', base.id];
  const present = useQuery({ queryKey, queryFn: ({ signal }) => call(getDbConnection, { params, signal }) });
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => ['connection', 'billing', 'usage-history'].includes(String(first)) });
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
    <Dialog open onClose={onClose} wide title={`SQL access to ${base.name}`} description="For a notebook, a BI tool or psql: reads the tables of this base and nothing else, changes nothing.">
      <div className="flex flex-col gap-4">
        {present.isPending && <Loading />}
        {shown !== undefined && (
          <>
            <div className="flex flex-col gap-2">
              <code data-testid="connection" className="rounded-lg bg-sunken px-3 py-2.5 font-mono text-[13px] break-all select-all">
                {shown.url}
              </code>
              <p className="text-[13px] text-ink-soft">
                {open.data === undefined ? 'The password was shown when it was made. Make a new one if it is lost: the old one ends.' : 'The password in it is shown this once. Copy it now.'} The tables are in the schema{' '}
                <code className="font-mono">{base.id}</code>; {shown.connection.current} of {shown.connection.max} connections are in use.
              </p>
            </div>
            <div className="flex flex-wrap justify-end gap-2">
              <Button size="small" look="ghost" disabled={isBusy} onClick={() => shut.mutate()}>
                Close the access
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
            Open for SQL
          </Button>
        )}
      </div>
    </Dialog>
  );
};
