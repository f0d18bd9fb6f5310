// GET /share/:shareId/socket/…: what a share shows, as documents.
import type { IncomingHttpHeaders } from 'node:http';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { GroupPoint } from '@rowhouse/contract/record.ts';
import type {
  getShareRecordDocIds as docIdsEndpoint,
  getShareRecordSnapshots as snapshotsEndpoint,
} from '@rowhouse/contract/share-socket.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { PublicContext } from '../../context.ts';
import type { Answer } from '../../endpoint/route.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { listRecords, queryFor } from '../record/read/list-records.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { shapeOf } from '../record/read/shape.ts';
import { describeShare } from './get-share.ts';
import { type OpenShare, openShare, shareAnswer } from './open-share.ts';
import { throughView } from './read-share.ts';
import { publicField } from './share-sight.ts';

/** `data`: JSON text. */
const documentOf = (id: string, data: string): string =>
  `{"id":${JSON.stringify(id)},"v":1,"type":"json0","data":${data}}`;

/** The same for what is hidden and for what does not exist. */
const notShown = (): Error => forbidden('The share does not show all of what was asked for');

const answerWith = (open: OpenShare, documents: readonly string[]): Promise<Answer> =>
  shareAnswer(open, `[${documents.join(',')}]`);

export const getShareViewDocIds = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
): Promise<{ ids: string[] }> => ({ ids: [(await openShare(services, shareId, headers)).share.viewId] });

export const getShareViewSnapshots = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  ids: readonly string[],
): Promise<Answer> => {
  const open = await openShare(services, shareId, headers);
  const { viewId } = open.share;
  if (ids.some((id) => id !== viewId)) throw notShown();
  const { view } = await describeShare(open);
  return answerWith(open, [documentOf(viewId, JSON.stringify(view))]);
};

const shownFields = ({ context }: OpenShare): Promise<readonly FieldSchema[]> =>
  guardedRead({ unconfirmed: context }, (present, sight) => seen(present, sight, sight.fields));

export const getShareFieldDocIds = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
): Promise<{ ids: string[] }> => ({
  ids: (await shownFields(await openShare(services, shareId, headers))).map(({ id }) => id),
});

export const getShareFieldSnapshots = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  ids: readonly string[],
): Promise<Answer> => {
  const open = await openShare(services, shareId, headers);
  const shown = new Map((await shownFields(open)).map((field) => [field.id, field]));
  if (ids.some((id) => !shown.has(id))) throw notShown();
  return answerWith(
    open,
    ids.map((id) => documentOf(id, JSON.stringify(publicField(shown.get(id) as FieldSchema)))),
  );
};

interface Listed {
  records: { id: string }[];
  extra: { groupPoints?: GroupPoint[] };
}

export const getShareRecordDocIds = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  query: QueryOf<typeof docIdsEndpoint>,
): Promise<{ ids: string[]; extra: Listed['extra'] }> => {
  const {
    context,
    share: { viewId },
  } = await openShare(services, shareId, headers);
  const {
    records,
    extra: { groupPoints },
  } = JSON.parse(
    (await listRecords({ unconfirmed: context }, { ...throughView(query, viewId), projection: [] })).text,
  ) as Listed;
  return { ids: records.map(({ id }) => id), extra: groupPoints === undefined ? {} : { groupPoints } };
};

export const getShareRecordSnapshots = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  { ids, projection }: QueryOf<typeof snapshotsEndpoint>,
): Promise<Answer> => {
  const open = await openShare(services, shareId, headers);
  if (open.meta.includeRecords !== true) return answerWith(open, []);
  const found = await guardedRead({ unconfirmed: open.context }, async (present, sight) => {
    const { visible } = queryFor(sight, { viewId: open.share.viewId });
    return seen(
      present,
      sight,
      await selectRecords(
        present.db,
        sight,
        ids,
        shapeOf(sight, { fieldKeyType: 'id', ...(projection === undefined ? {} : { projection }) }, visible),
      ),
    );
  });
  const byId = new Map(found.map(({ id, json }) => [id, `${json}}`]));
  if (ids.some((id) => !byId.has(id))) throw notShown();
  return answerWith(
    open,
    ids.map((id) => documentOf(id, byId.get(id) as string)),
  );
};
