// A list of records on a dashboard, and what it is drawn with where records are listed otherwise.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { CellValue } from '../field-type/cell/cell-value.tsx';
import { fieldTypeOf } from '../field-type/field-types.ts';
import { classNames } from '../ui/class-names.ts';
import { headClass } from './chart-table.tsx';

interface RecordListProps {
  label: string;
  fields: readonly Field[];
  records: readonly RecordVo[];
  onOpen: ((recordId: string) => void) | undefined;
}

const isNumber = (field: Field): boolean => field.cellValueType === 'number' && field.isMultipleCellValue !== true;

const mostLabels = 3;

export const RecordList = ({ label, fields, records, onOpen }: RecordListProps) => (
  <div tabIndex={0} role="region" aria-label={label} className="h-full min-h-0 overflow-auto">
    <table className="w-full border-separate border-spacing-0 text-[13px]">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {fields.map((field) => {
            const { icon: Icon } = fieldTypeOf(field.type);
            return (
              <th key={field.id} scope="col" className={headClass}>
                <span className={classNames('flex items-center gap-1.5', isNumber(field) && 'justify-end')}>
                  <Icon size={13} className="shrink-0 text-ink-faint" aria-hidden />
                  <span className="truncate">{field.name}</span>
                </span>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id} className="hover:bg-[var(--hover)]">
            {fields.map((field, at) => {
              const value = record.fields[field.id];
              const content = value == null ? null : <CellValue field={field} value={value} most={mostLabels} />;
              return (
                <td
                  key={field.id}
                  className={classNames(
                    'max-w-64 truncate border-b border-line px-2.5 py-1.5',
                    isNumber(field) && 'text-right',
                  )}
                >
                  {at === 0 && onOpen !== undefined ? (
                    <button
                      type="button"
                      className="max-w-full truncate rounded text-left font-medium hover:text-accent hover:underline"
                      onClick={() => onOpen(record.id)}
                    >
                      {content ?? 'Unnamed record'}
                    </button>
                  ) : (
                    content
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
