import { useColors } from '../../field-type/cell/record-colors.tsx';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronsRightLeft, Plus } from 'lucide-react';
import { type DragEvent, type HTMLAttributes, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Pill } from '../../field-type/cell/pill.tsx';
import { hasFiles } from '../../field-type/attachment/use-file-drop.ts';
import { type Beside, type CardMove, carried, carriesCard } from './card-move.ts';
import { type Cover, fieldsOfCard } from '../card/card-cover.tsx';
import { KanbanCard } from './kanban-card.tsx';
import { statisticText, statisticWords } from '../grid/statistic/statistic-words.ts';
import type { StackTotal } from './stack-total.ts';
import { stackCards, stackSize, stackTotal } from './stack-queries.ts';
import { useNear } from './use-near.ts';
import type { Stack } from './use-stacks.ts';

interface KanbanColumnProps {
  tableId: string;
  view: View;
  /** What the board is stacked by. */
  field: Field;
  /** null: the records without one. */
  stack: Stack | null;
  stacks: readonly Stack[];
  fields: readonly Field[];
  cover: Cover;
  search: string;
  /** For its name, by which it is dragged. */
  handle?: HTMLAttributes<HTMLElement>;
  /** Told beside the count. */
  total?: StackTotal | undefined;
  mayEdit: boolean;
  mayOrder: boolean;
  onMove: (move: CardMove) => void;
  onOpen: (recordId: string) => void;
  onFiles: ((recordId: string, files: File[]) => void) | undefined;
  /** Absent: nobody may. */
  onAdd: (() => void) | undefined;
}

export const KanbanColumn = ({
  tableId,
  view,
  field,
  stack,
  stacks,
  fields,
  cover,
  search,
  handle = {},
  total,
  mayEdit,
  mayOrder,
  onMove,
  onOpen,
  onFiles,
  onAdd,
}: KanbanColumnProps) => {
  const own = stack?.key ?? null;
  const element = useRef<HTMLElement>(null);
  const isNear = useNear(element);
  const [isOver, setOver] = useState(false);
  const [target, setTarget] = useState<Beside>();
  // What is drawn may be a moment behind: a drop counts where it happens.
  const aim = useRef<Beside>(undefined);
  const aimAt = (beside: Beside | undefined): void => {
    aim.current = beside;
    setTarget(beside);
  };
  const [folded, setFolded] = useState<boolean>();
  const colors = useColors();
  const asked = { tableId, view, field, stack, search, projection: fieldsOfCard(fields, cover, colors.fieldIds) };
  const count = useQuery({ ...stackSize(asked), enabled: isNear, placeholderData: (before) => before }).data?.rowCount;
  const pages = useInfiniteQuery({ ...stackCards(asked), enabled: isNear, placeholderData: (before) => before });
  const sum = useQuery({
    ...stackTotal(asked, total ?? { field, statistic: 'sum' }),
    enabled: isNear && total !== undefined,
    placeholderData: (before) => before,
  }).data;
  const title = stack?.name ?? `No ${field.name}`;
  const cards = pages.data?.pages.flat() ?? [];
  const isFolded = folded ?? (view.options['isEmptyStackHidden'] === true && count === 0);

  const leave = (): void => {
    setOver(false);
    aimAt(undefined);
  };
  const over = (event: DragEvent): void => {
    if (!mayEdit || !carriesCard(event.dataTransfer)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    if (hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    const card = carried(event.dataTransfer);
    const beside = aim.current;
    leave();
    if (card === undefined || !mayEdit) return;
    const last = cards.at(-1);
    onMove({
      ...card,
      choice: own,
      beside: beside ?? (last === undefined ? undefined : { recordId: last.id, position: 'after' }),
    });
  };
  const handlers = {
    onDragOver: over,
    onDragLeave: (event: DragEvent) => !event.currentTarget.contains(event.relatedTarget as Node | null) && leave(),
    onDrop: drop,
  };

  if (isFolded) {
    return (
      <section
        ref={element}
        aria-label={title}
        {...handlers}
        className={classNames(
          'flex w-11 shrink-0 flex-col items-center rounded-xl border bg-sunken py-2',
          isOver ? 'border-accent' : 'border-transparent',
        )}
      >
        <button
          type="button"
          aria-expanded={false}
          aria-label={`Unfold ${title}`}
          title={`Unfold ${title}`}
          onClick={() => setFolded(false)}
          className="flex min-h-0 flex-1 flex-col items-center gap-2 rounded-lg px-1 py-1 text-ink-soft hover:text-ink"
        >
          <span className="text-[13px]">{count}</span>
          <span className="truncate font-medium [writing-mode:vertical-rl]">{title}</span>
        </button>
      </section>
    );
  }
  return (
    <section
      ref={element}
      aria-label={title}
      {...handlers}
      className={classNames(
        'group/stack flex w-72 shrink-0 flex-col rounded-xl border bg-sunken',
        isOver ? 'border-accent' : 'border-transparent',
      )}
    >
      <div
        {...handle}
        className={classNames('flex items-center gap-1 py-2 pr-1.5 pl-3', handle.draggable === true && 'cursor-grab')}
      >
        <h3 className="min-w-0 truncate font-medium">
          {stack === null ? (
            <span className="text-ink-soft">{title}</span>
          ) : (
            <Pill text={stack.name} color={stack.color} />
          )}
        </h3>
        <span className="min-w-0 flex-1 truncate pl-1 text-[13px] text-ink-soft">
          {count}
          {total !== undefined && sum !== undefined && sum !== null && (
            <span title={`${statisticWords[total.statistic]} of ${total.field.name}`} className="pl-2 tabular-nums">
              {statisticText(total.field, total.statistic, sum)}
            </span>
          )}
        </span>
        <IconButton
          label={`Fold ${title}`}
          className="opacity-0 group-hover/stack:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
          onClick={() => setFolded(true)}
        >
          <ChevronsRightLeft size={15} />
        </IconButton>
        {onAdd !== undefined && (
          <IconButton label={`Add a record to ${title}`} onClick={onAdd}>
            <Plus size={16} />
          </IconButton>
        )}
      </div>
      <ul className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2 pb-2 print:overflow-visible">
        {cards.map((record, at) => (
          <KanbanCard
            key={record.id}
            record={record}
            fields={fields}
            cover={cover}
            stacks={stacks}
            own={own}
            hasNames={view.options['isFieldNameHidden'] !== true}
            mayEdit={mayEdit}
            mark={isOver && mayOrder && target?.recordId === record.id ? target.position : undefined}
            onTarget={mayOrder ? (position) => aimAt({ recordId: record.id, position }) : undefined}
            onStack={(next) => onMove({ recordId: record.id, from: own, choice: next })}
            onUp={
              mayOrder && cards[at - 1] !== undefined
                ? () =>
                    onMove({
                      recordId: record.id,
                      from: own,
                      choice: own,
                      beside: { recordId: cards[at - 1]?.id as string, position: 'before' },
                    })
                : undefined
            }
            onDown={
              mayOrder && cards[at + 1] !== undefined
                ? () =>
                    onMove({
                      recordId: record.id,
                      from: own,
                      choice: own,
                      beside: { recordId: cards[at + 1]?.id as string, position: 'after' },
                    })
                : undefined
            }
            onOpen={onOpen}
            onFiles={onFiles}
          />
        ))}
        {pages.hasNextPage && (
          <li className="pt-2">
            <Button
              size="small"
              className="w-full"
              busy={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              Show more
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
};
