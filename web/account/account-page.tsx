import { TopBar } from '../frame/top-bar.tsx';
import { Page } from '../frame/page.tsx';
import { AccountNav } from './account-nav.tsx';
import { DeleteAccountSection } from './delete-account-section.tsx';
import { EmailSection } from './email-section.tsx';
import { IdentitiesSection } from './identities-section.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

export const AccountPage = () => (
  <>
    <TopBar />
    <Page title="Account" lead="How others see you, and how you sign in.">
      <AccountNav />
      <div className="flex flex-col gap-5">
        <ProfileForm />
        <EmailSection />
        <PasswordForm />
        <IdentitiesSection />
        <SecondFactorSection />
        <SessionsSection />
        <DeleteAccountSection />
      </div>
    </Page>
  </>
);
