// POST …/selection/delete-by-id-stream: deletes what was selected, and tells how far it is.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { DeletionEvent, deleteSelectionStream as endpoint } from '@rowhouse/contract/selection.ts';
import type { Unconfirmed } from '../../../context.ts';
import { StreamAnswer } from '../../../endpoint/route.ts';
import type { OnProgress, Progress } from './delete-in-parts.ts';
import { type DeletedSelection, deleteSelection } from './delete-selection.ts';

const line = (event: DeletionEvent): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

type End = { done: DeletedSelection } | { error: unknown };

/** A client that reads slowly is told the latest, and holds nothing up. */
async function* events(run: (onProgress: OnProgress) => Promise<DeletedSelection>): AsyncGenerator<Buffer> {
  const news: { progress: Progress | undefined; wake: () => void } = { progress: undefined, wake: () => undefined };
  const ended = run((progress) => {
    news.progress = progress;
    news.wake();
  }).then(
    (done): End => ({ done }),
    (error: unknown): End => ({ error }),
  );
  for (let isFirst = true; ; isFirst = false) {
    const told = new Promise<void>((resolve) => (news.wake = resolve));
    const end = await (news.progress === undefined ? Promise.race([ended, told]) : undefined);
    const { progress } = news;
    news.progress = undefined;
    if (end === undefined) {
      if (progress !== undefined)
        yield line({ id: 'progress', processedCount: progress.processed, totalCount: progress.total });
      continue;
    }
    if ('done' in end) {
      const { ids, operationId } = end.done;
      yield line({
        id: 'done',
        processedCount: ids.length,
        totalCount: ids.length,
        data: { ids },
        ...(operationId === '' ? {} : { operationId }),
      });
      return;
    }
    // Before anything was sent it is answered like any other.
    if (isFirst || !(end.error instanceof ApiError)) throw end.error;
    yield line({ id: 'error', code: end.error.code, message: end.error.message });
    return;
  }
}

export const deleteSelectionStream = async (
  request: Unconfirmed,
  body: BodyOf<typeof endpoint>,
): Promise<StreamAnswer> => {
  const { live, access } = request.unconfirmed;
  const run = async (onProgress: OnProgress): Promise<DeletedSelection> => {
    const done = await deleteSelection(request, body, onProgress);
    // The answer has begun long before: nobody else tells it.
    live.changed(access.baseId as string);
    return done;
  };
  return new StreamAnswer(events(run), { 'cache-control': 'no-store' });
};
