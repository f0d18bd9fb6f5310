// What a card shows of its record.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { classNames } from '../../ui/class-names.ts';
import { tint, useCardColors } from './record-colors.tsx';
import { ButtonCell } from './button-cell.tsx';
import { usePressPlace } from './press.ts';
import { fieldTypeOf } from '../field-types.ts';
import { CellValue } from './cell-value.tsx';

const isPressed = ({ type }: Field): boolean => fieldTypeOf(type).isPressed === true;

export const cardName = ({ name }: RecordVo): string => (name === undefined || name === '' ? 'Unnamed record' : name);

/** A card with a hundred links would hide all others of its stack. */
const mostOnCard = 6;

interface CardFieldsProps {
  record: RecordVo;
  fields: readonly Field[];
  hasNames: boolean;
  className: string;
  valueClassName?: string;
}

/** The filled cells below its name. */
export const CardFields = ({ record, fields, hasNames, className, valueClassName }: CardFieldsProps) => {
  const { cells } = useCardColors(record);
  const tableId = usePressPlace();
  return (
    <dl className={classNames('flex flex-col empty:hidden', className)}>
      {fields
        .filter((field) => field.isPrimary !== true && (record.fields[field.id] !== undefined || isPressed(field)))
        .map((field) => (
          <div key={field.id} className="text-[13px]">
            <dt className={hasNames ? 'text-[12px] text-ink-faint' : 'sr-only'}>{field.name}</dt>
            <dd
              className={classNames('break-words', cells.has(field.id) && '-mx-1 rounded px-1', valueClassName)}
              style={tint(cells.get(field.id), 'cell')}
            >
              {isPressed(field) ? (
                <ButtonCell tableId={tableId} recordId={record.id} field={field} value={record.fields[field.id]} />
              ) : (
                <CellValue field={field} value={record.fields[field.id]} most={mostOnCard} />
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
};
