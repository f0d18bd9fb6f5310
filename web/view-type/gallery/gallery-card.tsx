import { tint, useCardColors } from '../../field-type/cell/record-colors.tsx';
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { classNames } from '../../ui/class-names.ts';
import { CardFields, cardName } from '../../field-type/cell/card-fields.tsx';
import { useFileDrop } from '../../field-type/attachment/use-file-drop.ts';
import { CardCover, type Cover } from '../card/card-cover.tsx';

interface GalleryCardProps {
  record: RecordVo;
  fields: readonly Field[];
  cover: Cover;
  hasNames: boolean;
  onOpen: (recordId: string) => void;
  /** Absent: no field takes files, or nobody may add any. */
  onFiles: ((recordId: string, files: File[]) => void) | undefined;
}

export const GalleryCard = ({ record, fields, cover, hasNames, onOpen, onFiles }: GalleryCardProps) => {
  const { isOver, handlers } = useFileDrop(onFiles === undefined ? undefined : (files) => onFiles(record.id, files));
  const { row } = useCardColors(record);
  return (
    <li
      {...handlers}
      style={tint(row, 'row')}
      className={classNames(
        'relative overflow-hidden rounded-xl border bg-surface shadow-card hover:border-line-strong print:break-inside-avoid',
        isOver ? 'border-accent' : 'border-line',
      )}
    >
      <CardCover record={record} cover={cover} />
      <div className="flex flex-col gap-2 p-4">
        <h3 className="text-[15px] font-semibold break-words">
          {/* The whole card can be clicked. */}
          <button
            type="button"
            className="text-left after:absolute after:inset-0 after:rounded-xl"
            onClick={() => onOpen(record.id)}
          >
            {cardName(record)}
          </button>
        </h3>
        <CardFields
          record={record}
          fields={fields}
          hasNames={hasNames}
          className="gap-2"
          valueClassName="line-clamp-4 whitespace-pre-line"
        />
      </div>
    </li>
  );
};
