// For administrators of the instance: what is decided for everybody.
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../app/me.ts';
import { NotFoundPage } from '../app/not-found-page.tsx';
import { TopBar } from '../frame/top-bar.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { DecisionsSection } from './decisions-section.tsx';
import { NameSection } from './name-section.tsx';
import { settingsQuery } from './settings-query.ts';
import { TemplatesSection } from './templates-section.tsx';

const Settings = () => {
  const { data, error } = useQuery(settingsQuery);
  if (data === undefined) return error === null ? <Loading /> : <ProblemNote error={error} />;
  return (
    <div className="flex flex-col gap-5">
      <NameSection brandName={data.brandName} />
      <DecisionsSection setting={data} />
      <TemplatesSection />
      <Section title="About">
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-ink-soft">E-mails</dt>
          <dd>
            {data.enableEmailVerification
              ? 'On. Addresses are verified, and forgotten passwords can be reset.'
              : 'Off: no mail server configured (SMTP_URL).'}
          </dd>
          <dt className="text-ink-soft">Since</dt>
          <dd>{new Date(data.createdTime).toLocaleDateString('en', { dateStyle: 'long' })}</dd>
          <dt className="text-ink-soft">Id</dt>
          <dd className="font-mono text-[13px] break-all">{data.instanceId}</dd>
        </dl>
      </Section>
    </div>
  );
};

export const AdminPage = () => {
  const { isAdmin } = useMe();
  if (!isAdmin) return <NotFoundPage />;
  return (
    <>
      <TopBar />
      <Page title="Instance" lead="Settings for everyone on this server.">
        <Settings />
      </Page>
    </>
  );
};
