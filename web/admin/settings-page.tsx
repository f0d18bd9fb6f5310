import { useQuery } from '@tanstack/react-query';
import { Section } from '../ui/section.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { DecisionsSection } from './decisions-section.tsx';
import { DomainsSection, LimitsSection } from './limits-section.tsx';
import { ListState } from './list-state.tsx';
import { MailSection } from './mail-section.tsx';
import { NameSection } from './name-section.tsx';
import { settingsQuery } from './settings-query.ts';
import { TemplatesSection } from './templates-section.tsx';

export const SettingsPage = () => {
  const { data, error, isPending, refetch } = useQuery(settingsQuery);
  return (
    <AdminFrame
      title="Settings"
      lead="What can be changed while the server runs. Everything else is set where it is started."
    >
      <ListState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {data !== undefined && (
          <div className="flex flex-col gap-5">
            <NameSection brandName={data.brandName} />
            <DecisionsSection setting={data} />
            <DomainsSection setting={data} />
            <LimitsSection setting={data} />
            <MailSection isOn={data.enableEmailVerification} />
            <TemplatesSection />
            <Section title="About">
              <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
                <dt className="text-ink-soft">Since</dt>
                <dd>{new Date(data.createdTime).toLocaleDateString('en', { dateStyle: 'long' })}</dd>
                <dt className="text-ink-soft">Id</dt>
                <dd className="font-mono text-[13px] break-all">{data.instanceId}</dd>
              </dl>
            </Section>
          </div>
        )}
      </ListState>
    </AdminFrame>
  );
};
