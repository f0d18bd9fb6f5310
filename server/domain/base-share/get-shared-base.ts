// GET /share/:shareId/base
import type { IncomingHttpHeaders } from 'node:http';
import type { getSharedBase as endpoint } from '@rowhouse/contract/base-share.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { PublicContext } from '../../context.ts';
import { baseShareVo } from './change-base-share.ts';
import { openBaseShare } from './visit.ts';

export const getSharedBase = async (
  context: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
): Promise<ResponseOf<typeof endpoint>> => {
  const { baseId, password, nodeId, allowSave, allowCopy } = baseShareVo(
    await openBaseShare(context, shareId, headers),
  );
  return { baseId, shareMeta: { password, nodeId, allowSave, allowCopy } };
};
