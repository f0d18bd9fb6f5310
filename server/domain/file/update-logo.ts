import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../context.ts';
import { updateBrandLogo } from '../setting/setting.sql.ts';
import { publicAddress } from './public-file.ts';
import { showPicture } from './show-picture.ts';

export const updateLogo = async (
  context: Context,
  body: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
): Promise<{ url: string }> => {
  let url = '';
  await showPicture(context, 'instance', body, headers, (tx, token) => {
    url = publicAddress('logo', token);
    return updateBrandLogo(tx, url);
  });
  return { url };
};
