// GET /share/:shareId/view
import type { IncomingHttpHeaders } from 'node:http';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import type { PublicContext } from '../../context.ts';
import type { Answer } from '../../endpoint/route.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { readPage } from '../record/read/list-records.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { findView } from '../view/change-view.ts';
import { type OpenShare, openShare, shareAnswer } from './open-share.ts';
import { noteOpening } from './openings.ts';
import { publicField, publicMeta, publicView } from './share-sight.ts';

const firstRecords = 50;

/** The same for one browser as far as can be told, and for nobody to be known by. */
const visitorOf = ({ secretKey }: PublicContext, shareId: string, headers: IncomingHttpHeaders, ip: string): Buffer =>
  Buffer.from(
    secretKey.derive('visitor', shareId, networkOf(ip), String(headers['user-agent'] ?? '')).slice(0, 32),
    'hex',
  );

/** The view and its fields, as visitors see them. */
export const describeShare = ({
  context,
  meta,
  share: { viewId, shareId },
}: OpenShare): Promise<{ view: View; fields: Field[] }> =>
  guardedRead({ unconfirmed: context }, (present, sight) =>
    seen(present, sight, {
      view: {
        ...publicView(findView(sight.table, viewId), sight),
        shareId,
        enableShare: true,
        shareMeta: publicMeta(meta),
      },
      fields: sight.fields.map(publicField),
    }),
  );

export const getShare = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  ip: string,
): Promise<Answer> => {
  const open = await openShare(services, shareId, headers);
  const {
    context,
    meta,
    share: { viewId, tableId },
  } = open;
  const request = { unconfirmed: context };
  const described = await describeShare(open);
  const { records, extra } = await readPage(request, { viewId, take: firstRecords, fieldKeyType: 'id' });
  noteOpening(services, viewId, visitorOf(services, shareId, headers, ip));
  const { groupPoints } = JSON.parse(extra) as { groupPoints?: unknown };
  const head = JSON.stringify({
    viewId,
    tableId,
    shareId,
    shareMeta: publicMeta(meta),
    ...described,
    extra: groupPoints === undefined ? {} : { groupPoints },
  });
  // The records are what they are: to read and write them again would take longer than all the rest.
  return shareAnswer(open, `${head.slice(0, -1)},"records":[${records}]}`);
};
