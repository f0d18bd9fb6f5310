import type { AdminUser } from '@rowhouse/contract/admin-user.ts';
import { Mark } from '../ui/mark.tsx';

/** What is unusual about an account, in words; nothing for one that is as most are. */
export const PersonMarks = ({ person }: { person: AdminUser }) => (
  <>
    {person.isAdmin && <Mark tone="good">Administrator</Mark>}
    {person.deletedTime !== null ? (
      <Mark tone="bad">Deleted</Mark>
    ) : (
      person.deactivatedTime !== null && <Mark tone="warn">Deactivated</Mark>
    )}
    {person.deactivatedTime === null && person.lastSignTime === null && <Mark tone="idle">Never signed in</Mark>}
  </>
);
