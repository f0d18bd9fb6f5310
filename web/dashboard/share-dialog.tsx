// The share of a dashboard: its address, and its password.
import { type Dashboard } from '@rowhouse/contract/dashboard.ts';
import { shareDashboard, unshareDashboard } from '@rowhouse/contract/dashboard-share.ts';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';
import { reloadDashboard } from './queries.ts';

interface ShareDialogProps {
  baseId: string;
  dashboard: Dashboard;
  onClose: () => void;
}

export const ShareDialog = ({ baseId, dashboard, onClose }: ShareDialogProps) => {
  const { id: dashboardId, name, share } = dashboard;
  const [password, setPassword] = useState('');
  const [isRemoved, setRemoved] = useState(false);
  const [busy, setBusy] = useState<'on' | 'save' | 'refresh' | 'off'>();
  const [error, setError] = useState<unknown>(null);
  const [isSaved, setSaved] = useState(false);
  const params = { baseId, dashboardId };
  const attempt = async (what: NonNullable<typeof busy>, work: () => Promise<unknown>): Promise<void> => {
    setBusy(what);
    setError(null);
    setSaved(false);
    try {
      await work();
      await reloadDashboard(baseId, dashboardId);
      if (what === 'save') {
        setPassword('');
        setRemoved(false);
        setSaved(true);
      }
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(undefined);
    }
  };
  const url = `${window.location.origin}/share/${share?.shareId ?? ''}/dashboard`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Share ${name}`}
      description="Anyone with the link sees the charts as you see them now and later, without an account. They cannot open records that charts count."
    >
      {share === undefined ? (
        <div className="flex flex-col gap-4">
          <Button
            look="primary"
            busy={busy === 'on'}
            onClick={() => void attempt('on', () => call(shareDashboard, { params, body: {} }))}
          >
            Create link
          </Button>
          <ProblemNote error={error} />
        </div>
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const body = isRemoved ? { password: null } : password === '' ? {} : { password };
            void attempt('save', () => call(shareDashboard, { params, body }));
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
          <TextField
            label="Password"
            type="password"
            autoComplete="new-password"
            minLength={3}
            maxLength={128}
            disabled={isRemoved}
            value={password}
            hint={
              isRemoved
                ? 'The password is removed when you save.'
                : share.hasPassword
                  ? 'Password set. Type to replace it.'
                  : 'No password: anyone with the link gets in.'
            }
            onChange={(event) => {
              setSaved(false);
              setPassword(event.target.value);
            }}
          />
          {share.hasPassword && <CheckField label="Remove password" checked={isRemoved} onChecked={setRemoved} />}
          <ProblemNote error={error} />
          <div className="flex flex-wrap items-center gap-2">
            <Button look="primary" type="submit" busy={busy === 'save'}>
              Save
            </Button>
            <Button
              busy={busy === 'refresh'}
              onClick={() => void attempt('refresh', () => call(shareDashboard, { params, body: { refresh: true } }))}
            >
              Reset link
            </Button>
            <Button
              look="danger"
              busy={busy === 'off'}
              onClick={() => void attempt('off', () => call(unshareDashboard, { params }))}
            >
              Stop sharing
            </Button>
            <p role="status" className="text-ink-soft">
              {isSaved ? 'Saved.' : ''}
            </p>
          </div>
        </form>
      )}
    </Dialog>
  );
};
