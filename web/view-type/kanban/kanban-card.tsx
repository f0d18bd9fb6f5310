import { tint, useCardColors } from '../../field-type/cell/record-colors.tsx';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { ArrowDown, ArrowUp, MoveRight } from 'lucide-react';
import type { DragEvent } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import { CardFields, cardName } from '../../field-type/cell/card-fields.tsx';
import { Pill } from '../../field-type/cell/pill.tsx';
import { hasFiles, useFileDrop } from '../../field-type/attachment/use-file-drop.ts';
import { CardCover, type Cover } from '../card/card-cover.tsx';
import { carry } from './card-move.ts';
import type { Stack } from './use-stacks.ts';

interface KanbanCardProps {
  record: RecordVo;
  fields: readonly Field[];
  cover: Cover;
  stacks: readonly Stack[];
  own: string | null;
  hasNames: boolean;
  mayEdit: boolean;
  /** Where a card that is dragged over it would go. */
  mark: 'before' | 'after' | undefined;
  /** Absent: the order is not made by hand. */
  onTarget: ((position: 'before' | 'after') => void) | undefined;
  onStack: (key: string | null) => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onOpen: (recordId: string) => void;
  onFiles: ((recordId: string, files: File[]) => void) | undefined;
}

const line = <div aria-hidden className="my-0.5 h-0.5 rounded-full bg-accent" />;

export const KanbanCard = ({
  record,
  fields,
  cover,
  stacks,
  own,
  hasNames,
  mayEdit,
  mark,
  onTarget,
  onStack,
  onUp,
  onDown,
  onOpen,
  onFiles,
}: KanbanCardProps) => {
  const name = cardName(record);
  const { row } = useCardColors(record);
  const files = useFileDrop(onFiles === undefined ? undefined : (list) => onFiles(record.id, list));
  const over = (event: DragEvent): void => {
    if (hasFiles(event.dataTransfer)) return;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    onTarget?.(event.clientY < top + height / 2 ? 'before' : 'after');
  };
  return (
    <li
      draggable={mayEdit}
      onDragStart={(event) => carry(event.dataTransfer, record.id, own)}
      onDragOver={over}
      onDrop={over}
      className="pt-2 first:pt-0"
    >
      {mark === 'before' && line}
      <div
        {...files.handlers}
        style={tint(row, 'row')}
        className={classNames(
          'group relative overflow-hidden rounded-lg border bg-surface shadow-card hover:border-line-strong',
          files.isOver ? 'border-accent' : 'border-line',
        )}
      >
        <CardCover record={record} cover={cover} />
        <div className="p-3">
          <div className="flex items-start gap-1">
            <button
              type="button"
              className="min-w-0 flex-1 text-left font-medium break-words after:absolute after:inset-0 after:rounded-lg"
              onClick={() => onOpen(record.id)}
            >
              {name}
            </button>
            {mayEdit && (
              <Menu
                align="end"
                trigger={
                  <IconButton
                    label={`Move ${name}`}
                    className="relative z-10 -mt-1 -mr-1.5 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:opacity-100"
                  >
                    <MoveRight size={15} />
                  </IconButton>
                }
              >
                {(onUp !== undefined || onDown !== undefined) && (
                  <>
                    {onUp !== undefined && (
                      <MenuItem icon={<ArrowUp size={15} />} onSelect={onUp}>
                        Move up
                      </MenuItem>
                    )}
                    {onDown !== undefined && (
                      <MenuItem icon={<ArrowDown size={15} />} onSelect={onDown}>
                        Move down
                      </MenuItem>
                    )}
                    <MenuSeparator />
                  </>
                )}
                <MenuLabel>Move to</MenuLabel>
                {[null, ...stacks]
                  .filter((stack) => (stack?.key ?? null) !== own)
                  .map((stack) => (
                    <MenuItem key={stack?.key ?? 'none'} onSelect={() => onStack(stack?.key ?? null)}>
                      {stack === null ? 'None' : <Pill text={stack.name} color={stack.color} />}
                    </MenuItem>
                  ))}
              </Menu>
            )}
          </div>
          <CardFields record={record} fields={fields} hasNames={hasNames} className="mt-1 gap-1.5" />
        </div>
      </div>
      {mark === 'after' && line}
    </li>
  );
};
