// The comments on a record: read, written, answered, followed.
import {
  type Comment,
  createComment,
  createSubscription,
  deleteComment,
  deleteSubscription,
  updateComment,
} from '@rowhouse/contract/comment.ts';
import { allows, type Standing } from '../../app/standing.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Bell, BellOff, MessageSquare, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { useMe } from '../../app/me.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { showProblem } from '../../ui/toast.ts';
import { CommentItem } from './comment-item.tsx';
import { Composer, type ComposerScene } from './composer.tsx';
import { plainText } from './draft.ts';
import { commentsQuery, type RecordPlace, reloadComments, subscriptionQuery } from './queries.ts';

interface CommentsProps extends RecordPlace {
  scene: ComposerScene;
  role: Standing;
  /** The one that a notification is about. */
  meant: string | undefined;
  onOpenRecord: (recordId: string) => void;
}

export const Comments = ({ tableId, recordId, scene, role, meant, onOpenRecord }: CommentsProps) => {
  const place = { tableId, recordId };
  const me = useMe().id;
  const list = useInfiniteQuery(commentsQuery(place));
  const follows = useQuery(subscriptionQuery(place)).data;
  const [answered, setAnswered] = useState<Comment>();
  const [deleting, setDeleting] = useState<Comment>();
  const comments = list.data?.pages.toReversed().flatMap((page) => page.comments) ?? [];
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const may = { comment: allows(role, 'record|comment'), manage: allows(role, 'table|update') };
  const isMissing = meant !== undefined && !byId.has(meant) && list.hasNextPage && !list.isFetchingNextPage;
  // Back to the one that is meant, however old it is.
  useEffect(() => {
    if (isMissing) void list.fetchNextPage();
  }, [isMissing, list]);

  const follow = async (on: boolean): Promise<void> => {
    try {
      await (on ? call(createSubscription, { params: place }) : call(deleteSubscription, { params: place }));
      queryClient.setQueryData(subscriptionQuery(place).queryKey, on);
    } catch (error) {
      showProblem(error, 'Your change was not saved.');
    }
  };
  const quotedOf = ({ quoteId }: Comment): Comment | null | undefined =>
    quoteId === undefined ? undefined : (byId.get(quoteId) ?? (list.hasNextPage ? undefined : null));

  if (list.isPending) return <Loading />;
  return (
    <div className="flex flex-col gap-4">
      <ProblemNote error={list.error} />
      <Button
        size="small"
        look="ghost"
        className="self-end"
        aria-pressed={follows === true}
        icon={follows === true ? <Bell size={15} /> : <BellOff size={15} />}
        onClick={() => void follow(follows !== true)}
      >
        {follows === true ? 'Following' : 'Follow'}
      </Button>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show older comments
        </Button>
      )}
      {comments.length === 0 && list.error === null && (
        <EmptyState icon={<MessageSquare size={20} />} title="No comments yet">
          {may.comment ? 'Ask or say something about this record.' : 'Comments on this record appear here.'}
        </EmptyState>
      )}
      <ol aria-label="Comments" className="flex flex-col gap-3">
        {comments.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            quoted={quotedOf(comment)}
            place={place}
            me={me}
            may={may}
            scene={scene}
            isMeant={comment.id === meant}
            onAnswer={() => setAnswered(comment)}
            onDelete={() => setDeleting(comment)}
            onOpenRecord={onOpenRecord}
            onChange={async (content) => {
              await call(updateComment, { params: { ...place, commentId: comment.id }, body: { content } });
              await reloadComments(place);
            }}
          />
        ))}
      </ol>
      {may.comment && (
        <div className="flex flex-col gap-2">
          {answered !== undefined && (
            <p className="flex items-center gap-2 border-l-2 border-line-strong pl-2 text-[13px] text-ink-soft">
              <span className="min-w-0 flex-1 truncate">
                Reply to {answered.createdBy.name}: {plainText(answered.content)}
              </span>
              <IconButton label="Cancel reply" className="size-7!" onClick={() => setAnswered(undefined)}>
                <X size={14} />
              </IconButton>
            </p>
          )}
          <Composer
            label="New comment"
            action="Comment"
            scene={scene}
            onSend={async (content) => {
              await call(createComment, {
                params: place,
                body: { content, ...(answered === undefined ? {} : { quoteId: answered.id }) },
              });
              setAnswered(undefined);
              // Who takes part hears how it goes on, until they say otherwise.
              if (follows === false && !comments.some(({ createdBy }) => createdBy.id === me)) await follow(true);
              await reloadComments(place);
            }}
          />
        </div>
      )}
      {deleting !== undefined && (
        <ConfirmDialog
          title="Delete this comment?"
          description="This cannot be undone."
          action="Delete"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await call(deleteComment, { params: { ...place, commentId: deleting.id } });
            await reloadComments(place);
          }}
        />
      )}
    </div>
  );
};
