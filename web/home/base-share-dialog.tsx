// The share of a base, or of a folder or table of it: its link, and what visitors may do.
import {
  type BaseShare,
  createBaseShare,
  deleteBaseShare,
  getNodeShare,
  getWholeShare,
  listBaseShares,
  refreshBaseShare,
  updateBaseShare,
} from '@rowhouse/contract/base-share.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { nodesQuery } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showProblem } from '../ui/toast.ts';

const sharesKey = (baseId: string) => ['base-shares', baseId] as const;

const shareQuery = (baseId: string, nodeId: string | null) => ({
  queryKey: [...sharesKey(baseId), nodeId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<BaseShare | null> =>
    nodeId === null
      ? call(getWholeShare, { params: { baseId }, signal })
      : call(getNodeShare, { params: { baseId, nodeId }, signal }),
});

const urlOf = ({ shareId }: BaseShare): string => `${window.location.origin}/share/${shareId}/base`;

const reload = (baseId: string): Promise<void> => queryClient.invalidateQueries({ queryKey: sharesKey(baseId) });

const Settings = ({ share }: { share: BaseShare }) => {
  const { baseId, shareId, nodeId } = share;
  const params = { baseId, shareId };
  const url = urlOf(share);
  const [allowCopy, setAllowCopy] = useState(share.allowCopy);
  const [allowSave, setAllowSave] = useState(share.allowSave);
  const [password, setPassword] = useState('');
  const [removesPassword, setRemovesPassword] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    setBusy(what);
    setError(null);
    setSaved(false);
    try {
      await work();
      await reload(baseId);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(null);
    }
  };
  const save = (): Promise<void> =>
    attempt('save', async () => {
      const change = password !== '' ? { password } : removesPassword ? { password: null } : {};
      await call(updateBaseShare, {
        params,
        body: { allowCopy, ...(nodeId === null ? { allowSave } : {}), ...change },
      });
      setPassword('');
      setRemovesPassword(false);
      setSaved(true);
    });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="flex items-end gap-2">
        <TextField
          label="Link"
          readOnly
          value={url}
          className="min-w-0 flex-1"
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={url} label="Copy link" />
      </div>
      {!share.enabled && <p role="alert">This link is turned off: nobody can open it.</p>}
      <CheckField label="Allow copying cells" checked={allowCopy} onChecked={setAllowCopy} />
      {nodeId === null && (
        <CheckField
          label="Allow copying the base"
          hint="People with an account can copy all of it into a space of their own."
          checked={allowSave}
          onChecked={setAllowSave}
        />
      )}
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        minLength={3}
        maxLength={128}
        value={password}
        hint={
          !share.password
            ? 'No password: anyone with the link gets in.'
            : removesPassword
              ? 'The password is removed when you save.'
              : 'Password set. Type to replace it.'
        }
        onChange={(event) => setPassword(event.target.value)}
      />
      {share.password && (
        <CheckField label="Remove password" checked={removesPassword} onChecked={setRemovesPassword} />
      )}
      <ProblemNote error={error} />
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" type="submit" busy={busy === 'save'}>
          Save
        </Button>
        {!share.enabled && (
          <Button
            busy={busy === 'on'}
            onClick={() => void attempt('on', () => call(updateBaseShare, { params, body: { enabled: true } }))}
          >
            Turn on
          </Button>
        )}
        <Button
          busy={busy === 'refresh'}
          onClick={() => void attempt('refresh', () => call(refreshBaseShare, { params }))}
        >
          Reset link
        </Button>
        <Button
          look="danger"
          busy={busy === 'off'}
          onClick={() => void attempt('off', () => call(deleteBaseShare, { params }))}
        >
          Stop sharing
        </Button>
        <p role="status" className="text-ink-soft">
          {isSaved ? 'Saved.' : ''}
        </p>
      </div>
    </form>
  );
};

const PartRow = ({ baseId, nodeId, name }: { baseId: string; nodeId: string; name: string }) => {
  const share = useQuery(shareQuery(baseId, nodeId)).data;
  const end = async (shareId: string): Promise<void> => {
    try {
      await call(deleteBaseShare, { params: { baseId, shareId } });
      await reload(baseId);
    } catch (error) {
      showProblem(error, 'Sharing was not stopped.');
    }
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-2">
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {share != null && (
        <span className="flex gap-2">
          <CopyButton text={urlOf(share)} label="Copy link" />
          <Button
            size="small"
            look="danger"
            aria-label={`Stop sharing ${name}`}
            onClick={() => void end(share.shareId)}
          >
            Stop sharing
          </Button>
        </span>
      )}
    </li>
  );
};

/** What is shared besides the whole. */
const Parts = ({ baseId }: { baseId: string }) => {
  const shares = useQuery({
    queryKey: [...sharesKey(baseId), 'list'],
    queryFn: ({ signal }) => call(listBaseShares, { params: { baseId }, signal }),
  }).data;
  const nodes = useQuery(nodesQuery(baseId)).data ?? [];
  const parts = (shares ?? []).flatMap(({ nodeId }) => nodes.find(({ id }) => id === nodeId) ?? []);
  if (parts.length === 0) return null;
  return (
    <section aria-label="Parts that are shared" className="mt-5 border-t border-line pt-4">
      <h3 className="font-medium">Shared on their own</h3>
      <ul className="divide-y divide-line">
        {parts.map(({ id, resourceMeta: { name } }) => (
          <PartRow key={id} baseId={baseId} nodeId={id} name={name} />
        ))}
      </ul>
    </section>
  );
};

const meanings = {
  base: 'Anyone with the link can read all tables of this base with all their fields and records, also those added later.',
  folder:
    'Anyone with the link can read all tables in this folder with all their fields and records, also those added later.',
  table: 'Anyone with the link can read this table with all its fields and records, also those added later.',
};

interface BaseShareDialogProps {
  baseId: string;
  what: keyof typeof meanings;
  name: string;
  /** Null: the whole base. */
  nodeId: string | null;
  onClose: () => void;
}

export const BaseShareDialog = ({ baseId, what, name, nodeId, onClose }: BaseShareDialogProps) => {
  const { data: share, error } = useQuery(shareQuery(baseId, nodeId));
  const [refusal, setRefusal] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      await call(createBaseShare, { params: { baseId }, body: nodeId === null ? {} : { nodeId } });
      await reload(baseId);
    } catch (thrown) {
      setRefusal(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title={`Share ${name}`} description={meanings[what]}>
      <ProblemNote error={error ?? refusal} />
      {share === undefined && error === null && <Loading />}
      {share === null && (
        <Button look="primary" busy={busy} onClick={() => void create()}>
          Create link
        </Button>
      )}
      {share != null && <Settings key={share.shareId} share={share} />}
      {nodeId === null && <Parts baseId={baseId} />}
    </Dialog>
  );
};
