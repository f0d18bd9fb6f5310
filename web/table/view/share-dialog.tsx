// The share of a view: its link, and what visitors see and may do.
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { hiddenPassword, type ShareMeta } from '@rowhouse/contract/share-meta.ts';
import { disableShare, enableShare, refreshShareId, setShareMeta } from '@rowhouse/contract/share.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { noFilter, unfitConditions } from '../../field-type/filter/conditions.ts';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { metaOf } from '../../record-data/columns.ts';
import { fieldsQuery, viewsQuery } from '../../record-data/queries.ts';

const Check = ({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) => (
  <label className="flex items-center gap-2.5">
    <input
      type="checkbox"
      className="size-4 accent-[var(--accent)]"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
    {label}
  </label>
);

/** For an input of the browser's own time. */
const localText = (moment: string | null | undefined): string => {
  if (typeof moment !== 'string') return '';
  const time = new Date(moment);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const momentOf = (text: string): string | null => (text === '' ? null : new Date(text).toISOString());

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** For the page that shows the share inside of itself. */
const embedCode = (url: string, title: string): string =>
  `<iframe src="${escaped(url)}" title="${escaped(title)}" width="100%" height="600" style="border:0" loading="lazy"></iframe>`;

interface ShareDialogProps {
  tableId: string;
  view: View;
  onClose: () => void;
}

export const ShareDialog = ({ tableId, view, onClose }: ShareDialogProps) => {
  const params = { tableId, viewId: view.id };
  const isForm = shapeOf(view.type).share === 'answers';
  const isOn = view.enableShare === true;
  const [meta, setMeta] = useState<ShareMeta>(view.shareMeta ?? {});
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [sites, setSites] = useState(
    (view.shareMeta?.frameAncestors?.length ?? 0) === 0 ? null : (view.shareMeta?.frameAncestors ?? []).join(' '),
  );
  const url = `${window.location.origin}/share/${view.shareId ?? ''}/view`;
  const change = (part: Partial<ShareMeta>): void => {
    setSaved(false);
    setMeta((before) => ({ ...before, ...part }));
  };
  const changeSites = (next: string | null): void => {
    setSites(next);
    change({ frameAncestors: next === null ? [] : next.split(/[\s,]+/).filter((site) => site !== '') });
  };
  const submit = meta.submit ?? {};
  const { data: fields = [] } = useQuery(fieldsQuery(tableId));
  const hasUnfit = unfitConditions((view.filter as FilterGroup | undefined) ?? noFilter, fields).length > 0;
  const texts = fields.filter(
    (field) => field.isComputed !== true && kindOf(field) === 'text' && metaOf(view, field.id).visible === true,
  );
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    setBusy(what);
    setError(null);
    try {
      await work();
      await queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(null);
    }
  };
  const turnOn = (): Promise<void> =>
    attempt('on', async () => {
      await call(enableShare, { params });
      if (view.shareMeta === undefined) setMeta(isForm ? { submit: { allow: true } } : { includeRecords: true });
    });
  const save = (): Promise<void> =>
    attempt('save', async () => {
      const next: ShareMeta = { ...meta, ...(password === '' ? {} : { password }) };
      await call(setShareMeta, { params, body: next });
      // From now on there is one: saved again without it, it would be removed.
      if (password !== '') setMeta((now) => ({ ...now, password: hiddenPassword }));
      setPassword('');
      setSaved(true);
    });

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Share ${view.name}`}
      description={
        isForm
          ? 'Anyone with the link can fill in this form, without an account.'
          : 'Anyone with the link can see the fields and records of this view, and nothing else.'
      }
    >
      <div className="flex flex-col gap-4">
        {!isOn && (
          <Button look="primary" busy={busy === 'on'} onClick={() => void turnOn()}>
            Create link
          </Button>
        )}
        {isOn && (
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
            {view.isShareHeld === true && (
              <p role="alert">
                {isForm
                  ? 'Visitors cannot choose linked records: what limits a link of this form has changed. Save here to offer all the records that the limit allows now.'
                  : hasUnfit
                    ? 'Visitors see no records: a condition of the filter no longer fits its field. Change or remove it, then save here.'
                    : 'Visitors see no records: the filter of this view, or a field that it depends on, has changed. Set the filter again, or save here to show all the records that the view shows now.'}
              </p>
            )}
            {!isForm && (
              <Check
                label="Also show hidden fields"
                checked={meta.includeHiddenField === true}
                onChange={(includeHiddenField) => change({ includeHiddenField })}
              />
            )}
            {!isForm && (
              <Check
                label="Allow copying"
                checked={meta.allowCopy === true}
                onChange={(allowCopy) => change({ allowCopy })}
              />
            )}
            {isForm && (
              <Check
                label="Accept responses"
                checked={submit.allow === true}
                onChange={(allow) => change({ submit: { ...submit, allow } })}
              />
            )}
            {isForm && (
              <Check
                label="Require sign-in to respond"
                checked={submit.requireLogin === true}
                onChange={(requireLogin) => change({ submit: { ...submit, requireLogin } })}
              />
            )}
            {isForm && (
              <Check
                label="One response per person"
                checked={submit.onePerPerson === true}
                onChange={(onePerPerson) => change({ submit: { ...submit, onePerPerson } })}
              />
            )}
            {isForm && (
              <TextField
                label="Closes at"
                type="datetime-local"
                value={localText(submit.closesTime)}
                onChange={(event) => change({ submit: { ...submit, closesTime: momentOf(event.target.value) } })}
              />
            )}
            {isForm && (
              <TextField
                label="Response limit"
                type="number"
                min={1}
                value={submit.maxAnswers ?? ''}
                onChange={(event) =>
                  change({
                    submit: { ...submit, maxAnswers: event.target.value === '' ? null : Number(event.target.value) },
                  })
                }
              />
            )}
            {isForm && (
              <TextField
                label="Redirect after submit"
                type="url"
                placeholder="https://"
                value={submit.redirectUrl ?? ''}
                onChange={(event) =>
                  change({ submit: { ...submit, redirectUrl: event.target.value === '' ? null : event.target.value } })
                }
              />
            )}
            {isForm && texts.length > 0 && (
              <SelectField
                label="Send a confirmation to the address in"
                value={submit.confirmFieldId ?? ''}
                options={[
                  { value: '', label: 'No field' },
                  ...texts.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onValue={(id) => change({ submit: { ...submit, confirmFieldId: id === '' ? null : id } })}
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
                view.shareMeta?.password === undefined
                  ? 'No password: anyone with the link gets in.'
                  : meta.password === undefined
                    ? 'The password is removed when you save.'
                    : 'Password set. Type to replace it.'
              }
              onChange={(event) => {
                setSaved(false);
                setPassword(event.target.value);
              }}
            />
            {view.shareMeta?.password !== undefined && (
              <Check
                label="Remove password"
                checked={meta.password === undefined}
                onChange={(isRemoved) =>
                  setMeta(({ password: _password, ...rest }) =>
                    isRemoved ? rest : { ...rest, password: hiddenPassword },
                  )
                }
              />
            )}
            <TextField
              label="Link expires"
              type="datetime-local"
              value={localText(meta.expiresTime)}
              onChange={(event) => change({ expiresTime: momentOf(event.target.value) })}
            />
            <Check
              label="Allow embedding"
              checked={sites !== null}
              onChange={(isFramed) => changeSites(isFramed ? '*' : null)}
            />
            {sites !== null && (
              <TextField
                label="Sites that may embed it"
                required
                placeholder="https://example.com"
                hint="Separated by spaces; * for all."
                value={sites}
                onChange={(event) => changeSites(event.target.value)}
              />
            )}
            {sites !== null && (
              <div className="flex items-end gap-2">
                <TextAreaField
                  label="Embed code"
                  readOnly
                  rows={3}
                  className="min-w-0 flex-1 font-mono text-[12px]"
                  value={embedCode(url, view.name)}
                  onFocus={(event) => event.target.select()}
                />
                <CopyButton text={embedCode(url, view.name)} label="Copy code" />
              </div>
            )}
            <ProblemNote error={error} />
            <div className="flex flex-wrap items-center gap-2">
              <Button look="primary" type="submit" busy={busy === 'save'}>
                Save
              </Button>
              <Button
                busy={busy === 'refresh'}
                onClick={() => void attempt('refresh', () => call(refreshShareId, { params }))}
              >
                Reset link
              </Button>
              <Button
                look="danger"
                busy={busy === 'off'}
                onClick={() => void attempt('off', () => call(disableShare, { params }))}
              >
                Stop sharing
              </Button>
              <p role="status" className="text-ink-soft">
                {isSaved ? 'Saved.' : ''}
              </p>
            </div>
          </form>
        )}
        {!isOn && <ProblemNote error={error} />}
      </div>
    </Dialog>
  );
};
