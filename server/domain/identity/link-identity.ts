// POST /user/identity. Not a GET that anybody could lead a browser to, and not without the person themselves.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { Answer } from '../../endpoint/route.ts';
import { demandProof } from '../user/demand-proof.ts';
import { demandUnrestricted } from '../user/demand-unrestricted.ts';
import { providerOf, sendToProvider } from './begin-sign-in.ts';
import { logFailure, ProviderFailure } from './provider-failure.ts';

interface LinkInput {
  providerId: string;
  password?: string | undefined;
  redirect?: string | undefined;
  headers: IncomingHttpHeaders;
  ip: string;
}

export const linkIdentity = async (context: Context, input: LinkInput): Promise<Answer> => {
  const { principal } = context;
  demandUnrestricted(principal);
  const provider = await providerOf(context, input.providerId);
  await demandProof(context, input.password, input.ip, 'Linking an identity');
  try {
    const { url, cookie } = await sendToProvider(context, provider, {
      headers: input.headers,
      ip: input.ip,
      redirect: input.redirect ?? '/account',
      userId: principal.userId,
    });
    return new Answer({ body: { url }, headers: { 'set-cookie': cookie } });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(context, provider, error);
    throw new ApiError('service_unavailable', `${provider.name} does not answer as it should; try again later`);
  }
};
