// Through which providers people of the organisation sign in, and whether in no other way.
import { deleteAuthentication, type OrganizationProvider, setOnlyProvider } from '@rowhouse/contract/enterprise.ts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { showProblem } from '../ui/toast.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { providersQuery, reload, settingQuery } from './queries.ts';

const all = 'all';

const Address = ({ label, text }: { label: string; text: string }) => (
  <div className="mt-2.5 text-[13px]">
    <p className="text-ink-soft">{label}</p>
    <div className="flex items-center gap-2">
      <code className="min-w-0 flex-1 font-mono break-all select-all">{text}</code>
      <CopyButton text={text} />
    </div>
  </div>
);

export const ProvidersSection = ({ organizationId }: { organizationId: string }) => {
  const { data, error, isPending } = useQuery(providersQuery(organizationId));
  const setting = useQuery(settingQuery(organizationId));
  const [asking, setAsking] = useState<{ provider?: OrganizationProvider; isRemoving?: true } | null>(null);
  const close = (): void => setAsking(null);
  const bind = async (providerId: string | null): Promise<void> => {
    try {
      await call(setOnlyProvider, { params: { organizationId }, body: { providerId } });
    } catch (problem) {
      showProblem(problem);
    }
    await reload();
  };
  return (
    <Section
      title="Sign-in"
      lead="Providers of OpenID Connect sign in people with addresses of your verified domains."
      actions={
        <Button size="small" icon={<Plus size={16} />} onClick={() => setAsking({})}>
          Add provider
        </Button>
      }
    >
      <ProblemNote error={error ?? setting.error} />
      {isPending && <Loading />}
      {data?.length === 0 && <p className="text-ink-soft">There are no providers yet.</p>}
      <ul aria-label="Providers" className="divide-y divide-line">
        {data?.map((provider) => (
          <li key={provider.id} className="py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-medium">{provider.name}</p>
                <p className="text-[13px] break-all text-ink-soft">{provider.config.issuer}</p>
              </div>
              <div className="flex gap-2">
                <Button size="small" onClick={() => setAsking({ provider })} aria-label={`Change ${provider.name}`}>
                  Change
                </Button>
                <Button
                  size="small"
                  look="ghost"
                  onClick={() => setAsking({ provider, isRemoving: true })}
                  aria-label={`Remove ${provider.name}`}
                >
                  Remove
                </Button>
              </div>
            </div>
            <Address label="Redirect URI" text={provider.callbackUrl} />
            <Address label="Back-channel logout URI" text={provider.backchannelLogoutUrl} />
            <Address label="Sign-in address" text={provider.callbackUrl.replace(/\/callback$/, '')} />
          </li>
        ))}
      </ul>
      {data !== undefined && data.length > 0 && setting.data !== undefined && (
        <div className="mt-4 max-w-md border-t border-line pt-4">
          <SelectField
            label="People of the verified domains sign in"
            value={setting.data.onlyProviderId ?? all}
            options={[
              { value: all, label: 'In every way' },
              ...data.map(({ id, name }) => ({ value: id, label: `Only with ${name}` })),
            ]}
            onValue={(value) => void bind(value === all ? null : value)}
          />
          <p className="mt-1.5 text-[13px] text-ink-soft">
            Administrators of the organisation can always use their password, for the day on which a provider does not
            answer.
          </p>
        </div>
      )}
      {asking !== null && asking.isRemoving !== true && (
        <ProviderDialog
          organizationId={organizationId}
          onClose={close}
          {...(asking.provider === undefined ? {} : { provider: asking.provider })}
        />
      )}
      {asking?.isRemoving === true && asking.provider !== undefined && (
        <ConfirmDialog
          title={`Remove ${asking.provider.name}?`}
          description="Nobody signs in through it any more. Sessions that are there go on."
          action="Remove"
          onClose={close}
          onConfirm={async () => {
            const providerId = asking.provider?.id as string;
            await call(deleteAuthentication, { params: { organizationId, providerId } });
            await reload();
          }}
        />
      )}
    </Section>
  );
};
