import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { CellValue } from '../cell/cell-value.tsx';

export const GalleryCard = ({ record, fields, onOpen }: { record: RecordVo; fields: readonly Field[]; onOpen: (recordId: string) => void }) => (
  <li className="relative flex flex-col gap-2 rounded-xl border border-line bg-surface p-4 shadow-card hover:border-line-strong">
    <h3 className="font-semibold break-words">
      {/* The whole card can be clicked. */}
      <button type="button" className="text-left after:absolute after:inset-0 after:rounded-xl" onClick={() => onOpen(record.id)}>
        {record.name === undefined || record.name === '' ? 'Unnamed record' : record.name}
      </button>
    </h3>
    <dl className="flex flex-col gap-2 empty:hidden">
      {fields
        .filter((field) => field.isPrimary !== true && record.fields[field.id] !== undefined)
        .map((field) => (
          <div key={field.id} className="text-[13px]">
            <dt className="text-[12px] text-ink-faint">{field.name}</dt>
            <dd className="line-clamp-4 break-words whitespace-pre-line">
              <CellValue field={field} value={record.fields[field.id]} />
            </dd>
          </div>
        ))}
    </dl>
  </li>
);
