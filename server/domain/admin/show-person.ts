import type { AdminUser } from '@rowhouse/contract/admin-user.ts';
import { type Principal, shownEmail } from '../../catalog/principal.ts';
import { avatarAddress } from '../user/user.sql.ts';
import { timeOf, timeOrNull } from './page.sql.ts';
import type { PersonRow } from './person.sql.ts';

export const showPerson = (
  principal: Principal,
  { hasAvatar, createdTime, lastSignTime, deactivatedTime, deletedTime, email, ...rest }: PersonRow,
): AdminUser => ({
  ...rest,
  email: shownEmail(principal, email),
  avatar: hasAvatar ? `${avatarAddress}${rest.id}` : null,
  createdTime: timeOf(createdTime),
  lastSignTime: timeOrNull(lastSignTime),
  deactivatedTime: timeOrNull(deactivatedTime),
  deletedTime: timeOrNull(deletedTime),
});
