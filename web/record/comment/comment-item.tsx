import {
  type Comment,
  type CommentBlock,
  createReaction,
  deleteReaction,
  reactions,
} from '@rowhouse/contract/comment.ts';
import { CornerUpLeft, Ellipsis, Pencil, SmilePlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { fullTime, timeAgo } from '../../ui/time.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Popover } from '../../ui/popover.tsx';
import { showProblem } from '../../ui/toast.ts';
import { CommentContent } from './comment-content.tsx';
import { Composer, type ComposerScene } from './composer.tsx';
import { draftOf, plainText } from './draft.ts';
import { reloadComments, type RecordPlace } from './queries.ts';

interface CommentItemProps {
  comment: Comment;
  /** The comment that it answers: null when it is gone, undefined when it answers none. */
  quoted: Comment | null | undefined;
  place: RecordPlace;
  me: string;
  may: { comment: boolean; manage: boolean };
  scene: ComposerScene;
  isMeant: boolean;
  onAnswer: () => void;
  onChange: (content: CommentBlock[]) => Promise<void>;
  onDelete: () => void;
  onOpenRecord: (recordId: string) => void;
}

const scrollOnce = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' });

export const CommentItem = ({
  comment,
  quoted,
  place,
  me,
  may,
  scene,
  isMeant,
  onAnswer,
  onChange,
  onDelete,
  onOpenRecord,
}: CommentItemProps) => {
  const [isEditing, setEditing] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const { createdBy, createdTime, lastModifiedTime, content } = comment;
  const isOwn = createdBy.id === me;
  const react = async (reaction: string): Promise<void> => {
    const has =
      comment.reaction?.some((one) => one.reaction === reaction && one.user.some(({ id }) => id === me)) === true;
    const input = {
      params: { ...place, commentId: comment.id },
      body: { reaction: reaction as (typeof reactions)[number] },
    };
    try {
      await (has ? call(deleteReaction, input) : call(createReaction, input));
      await reloadComments(place);
    } catch (error) {
      showProblem(error, 'The reaction was not saved.');
    }
  };
  return (
    <li
      ref={isMeant ? scrollOnce : undefined}
      aria-label={`Comment by ${createdBy.name}`}
      className={classNames('flex gap-3 rounded-lg p-2 -mx-2', isMeant && 'bg-warn-soft')}
    >
      <Avatar name={createdBy.name} seed={createdBy.id} picture={createdBy.avatar} small />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <p className="min-w-0 flex-1 truncate">
            <strong className="font-medium">{createdBy.name}</strong>{' '}
            <time dateTime={createdTime} title={fullTime(createdTime)} className="text-[12px] text-ink-faint">
              {timeAgo(createdTime)}
            </time>
            {lastModifiedTime !== undefined && (
              <span title={fullTime(lastModifiedTime)} className="text-[12px] text-ink-faint">
                {' '}
                (edited)
              </span>
            )}
          </p>
          {may.comment && (
            <>
              <Popover
                label="Reactions"
                align="end"
                className="flex gap-0.5 p-1"
                open={isChoosing}
                onOpenChange={setChoosing}
                trigger={
                  <IconButton label="React" className="size-7!">
                    <SmilePlus size={15} />
                  </IconButton>
                }
              >
                {reactions.map((reaction) => (
                  <IconButton
                    key={reaction}
                    label={`React with ${reaction}`}
                    onClick={() => {
                      setChoosing(false);
                      void react(reaction);
                    }}
                  >
                    {reaction}
                  </IconButton>
                ))}
              </Popover>
              <IconButton label="Reply" className="size-7!" onClick={onAnswer}>
                <CornerUpLeft size={15} />
              </IconButton>
            </>
          )}
          {may.comment && (isOwn || may.manage) && (
            <Menu
              align="end"
              trigger={
                <IconButton label="More about this comment" className="size-7!">
                  <Ellipsis size={15} />
                </IconButton>
              }
            >
              {isOwn && (
                <MenuItem icon={<Pencil size={15} />} onSelect={() => setEditing(true)}>
                  Edit
                </MenuItem>
              )}
              <MenuItem icon={<Trash2 size={15} />} danger onSelect={onDelete}>
                Delete
              </MenuItem>
            </Menu>
          )}
        </div>
        {quoted !== undefined && (
          <blockquote className="my-1 truncate border-l-2 border-line-strong pl-2 text-[13px] text-ink-soft">
            {quoted === null
              ? 'The original comment was deleted.'
              : `${quoted.createdBy.name}: ${plainText(quoted.content)}`}
          </blockquote>
        )}
        {isEditing ? (
          <Composer
            label="Edit the comment"
            action="Save"
            scene={scene}
            initial={draftOf(content)}
            onCancel={() => setEditing(false)}
            onSend={async (changed) => {
              await onChange(changed);
              setEditing(false);
            }}
          />
        ) : (
          <CommentContent content={content} me={me} onOpenRecord={onOpenRecord} />
        )}
        {comment.reaction !== null && comment.reaction.length > 0 && (
          <div className="mt-1.5 flex flex-wrap gap-1">
            {comment.reaction.map(({ reaction, user }) => {
              const names = user.map(({ name }) => name).join(', ');
              return (
                <button
                  key={reaction}
                  type="button"
                  disabled={!may.comment}
                  aria-pressed={user.some(({ id }) => id === me)}
                  aria-label={`${reaction} ${user.length}: ${names}`}
                  title={names}
                  onClick={() => void react(reaction)}
                  className="rounded-full border border-line px-2 py-0.5 text-[12px] text-ink-soft hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
                >
                  {reaction} {user.length}
                </button>
              );
            })}
          </div>
        )}
      </div>
    </li>
  );
};
