// GET /share/:shareId/view/file/:file. The address is the permission; whether the share still shows such files is looked at each time.
import type { IncomingHttpHeaders } from 'node:http';
import type { ParamsOf, QueryOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { readShareFile as endpoint } from '@rowhouse/contract/share.ts';
import type { PublicContext } from '../../context.ts';
import type { Answer, StreamAnswer } from '../../endpoint/route.ts';
import { serveFile } from '../file/read-file.ts';
import { isFileAddress } from './file-address.ts';
import { fileMarkNow } from './open-share.ts';

/** Seconds. A browser asks again after them, and hears of the end of the share. */
const shortly = 300;

const ended = (): ApiError =>
  new ApiError(
    'not_found',
    'There is no such file here: the share has ended, shows it no longer, or the address has expired; open the share again',
  );

/** Undefined: there is no such share any more. */
const markNow = (services: PublicContext, shareId: string): Promise<string | undefined> =>
  fileMarkNow(services, shareId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'validation_error') return undefined;
    throw error;
  });

export const readShareFile = async (
  services: PublicContext,
  { shareId, file }: ParamsOf<typeof endpoint>,
  query: QueryOf<typeof endpoint>,
  headers: IncomingHttpHeaders,
): Promise<StreamAnswer | Answer> => {
  const token = file.replace(/\.image$/, '');
  const mark = await markNow(services, shareId);
  if (mark === undefined || query.token === undefined || !isFileAddress(services, shareId, mark, token, query.token))
    throw ended();
  return serveFile(
    services,
    token,
    {
      cacheControl: `private, max-age=${shortly}`,
      lasts: shortly,
      thumbnail: query.size,
      disposition: query['response-content-disposition'],
    },
    headers,
  );
};
