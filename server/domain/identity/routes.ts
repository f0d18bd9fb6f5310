import * as contract from '@rowhouse/contract/identity.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { endSessionsByProvider } from './end-sessions-by-provider.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { linkIdentity } from './link-identity.ts';
import { listIdentities } from './list-identities.ts';
import { signOutThere } from './sign-out-there.ts';
import { unlinkIdentity } from './unlink-identity.ts';

export const identityRoutes: Route[] = [
  route(contract.beginProviderSignIn, (context, { params, query, headers, ip }) =>
    beginSignIn(context, { ...params, redirect: query.redirect, headers, ip }),
  ),
  route(contract.finishProviderSignIn, (context, { params, query, headers }) =>
    finishSignIn(context, { ...params, query, headers }),
  ),
  route(contract.endSessionsByProvider, (context, { params, body }) =>
    endSessionsByProvider(context, { ...params, token: body.logout_token }),
  ),
  route(contract.signOutThere, (context, { headers }) => signOutThere(context, headers)),
  route(contract.listIdentities, (context) => listIdentities(context)),
  route(contract.linkIdentity, (context, { body, headers, ip }) => linkIdentity(context, { ...body, headers, ip })),
  route(contract.unlinkIdentity, (context, { params, headers }) => unlinkIdentity(context, params.identityId, headers)),
];
