// The organisation of those who administer it: members, departments, domains, sign-in. Others see that they are members.
import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { ownOrganizationQuery } from '../app/own-organization.ts';
import { Page } from '../frame/page.tsx';
import { TopBar } from '../frame/top-bar.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { DepartmentsSection } from './departments-section.tsx';
import { DirectorySection } from './directory-section.tsx';
import { DomainsSection } from './domains-section.tsx';
import { MembersSection } from './members-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

export const OrganizationPage = () => {
  const { data, error, isPending } = useQuery(ownOrganizationQuery);
  return (
    <>
      <TopBar />
      <Page title={data?.name ?? 'Organisation'} lead="People, departments and sign-in of your organisation.">
        <ProblemNote error={error} />
        {isPending && <Loading />}
        {data === null && (
          <EmptyState icon={<Building2 size={20} />} title="You are in no organisation">
            Somebody who administers this instance makes organisations and names who administers them.
          </EmptyState>
        )}
        {data?.isAdmin === false && (
          <EmptyState icon={<Building2 size={20} />} title={`You are a member of ${data.name}`}>
            Its administrators look after people, departments and sign-in.
          </EmptyState>
        )}
        {data?.isAdmin === true && (
          <div className="flex flex-col gap-5">
            <MembersSection organizationId={data.id} />
            <DepartmentsSection organizationId={data.id} />
            <DomainsSection organizationId={data.id} />
            <ProvidersSection organizationId={data.id} />
            <DirectorySection organizationId={data.id} />
          </div>
        )}
      </Page>
    </>
  );
};
