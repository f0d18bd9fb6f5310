// Messages tell of every space a user is in, which is more than an application was let into.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Principal } from '../../catalog/principal.ts';

export const demandPerson = (principal: Principal): void => {
  if (principal.kind === 'oauth') throw forbidden('A token of an application cannot read notifications');
};
