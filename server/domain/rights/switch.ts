// Rights can be prepared, but not switched on, as long as one way to read or write does not ask them.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';

export const demandEnforced = ({ enforcesRights }: Context): void => {
  if (!enforcesRights)
    throw new ApiError(
      'unprocessable_entity',
      'Rights on rows and fields cannot be switched on in this version yet; what is set up here stays and takes effect later',
    );
};
