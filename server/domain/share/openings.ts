// How often shares are opened, and by how many visitors. Counting never decides about reading: openings are noted in memory and written together, at most
// once a second, and a share whose row somebody holds is written later. A process that is killed loses the openings of its last second.
import type { BackgroundErrors } from '../../background-errors.ts';
import type { Services } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { coalesce, type Coalesced } from '../../work/coalesce.ts';
import { addOpenings } from './share.sql.ts';

interface Opened {
  count: number;
  /** By their hash as text. */
  visitors: Map<string, Buffer>;
}

interface Openings {
  views: Map<string, Opened>;
  writing: Coalesced;
}

const gap = 1_000;
/** Of one share between two writes; more are counted, and not told apart. */
const mostVisitors = 1_000;

const openingsOf = new WeakMap<object, Openings>();

const noteIn = (views: Map<string, Opened>, viewId: string, { count, visitors }: Opened): void => {
  const opened = views.get(viewId) ?? { count: 0, visitors: new Map() };
  opened.count += count;
  for (const [key, visitor] of visitors) if (opened.visitors.size < mostVisitors) opened.visitors.set(key, visitor);
  views.set(viewId, opened);
};

const createOpenings = (db: Db, errors: BackgroundErrors, stopping: AbortSignal): Openings => {
  const views = new Map<string, Opened>();
  const write = async (): Promise<void> => {
    const noted = [...views];
    views.clear();
    for (const [viewId, opened] of noted) {
      const isLater = await addOpenings(db, viewId, opened.count, [...opened.visitors.values()]).catch(
        (error: unknown) => {
          errors.note('counting openings of shares', error);
          return true;
        },
      );
      if (isLater) noteIn(views, viewId, opened);
    }
    if (views.size > 0 && !stopping.aborted) writing.wake();
  };
  const writing = coalesce(
    write,
    () => (stopping.aborted ? 0 : gap),
    (error) => errors.note('counting openings of shares', error),
  );
  stopping.addEventListener('abort', () => void writing.run().catch(() => undefined), { once: true });
  return { views, writing };
};

const openings = ({
  db,
  backgroundErrors,
  stopping,
}: Pick<Services, 'db' | 'backgroundErrors' | 'stopping'>): Openings => {
  const found = openingsOf.get(db.identity) ?? createOpenings(db.at(null), backgroundErrors, stopping);
  openingsOf.set(db.identity, found);
  return found;
};

/** Does not wait. */
export const noteOpening = (
  services: Pick<Services, 'db' | 'backgroundErrors' | 'stopping'>,
  viewId: string,
  visitor: Buffer,
): void => {
  const { views, writing } = openings(services);
  noteIn(views, viewId, { count: 1, visitors: new Map([[visitor.toString('hex'), visitor]]) });
  writing.wake();
};

/** For anyone who is about to read the counts: those of this process are written first, as far as nobody holds them. */
export const writeOpenings = async (identity: object): Promise<void> => {
  const known = openingsOf.get(identity);
  if (known !== undefined && known.views.size > 0) await known.writing.run();
};
