import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { CardFields, cardName } from '../cell/card-fields.tsx';

export const GalleryCard = ({ record, fields, onOpen }: { record: RecordVo; fields: readonly Field[]; onOpen: (recordId: string) => void }) => (
  <li className="relative flex flex-col gap-2 rounded-xl border border-line bg-surface p-4 shadow-card hover:border-line-strong">
    <h3 className="font-semibold break-words">
      {/* The whole card can be clicked. */}
      <button type="button" className="text-left after:absolute after:inset-0 after:rounded-xl" onClick={() => onOpen(record.id)}>
        {cardName(record)}
      </button>
    </h3>
    <CardFields record={record} fields={fields} className="gap-2" valueClassName="line-clamp-4 whitespace-pre-line" />
  </li>
);
