// Records that a condition on a link compares with.
import type { Field } from '@rowhouse/contract/field.ts';
import { takesSeveral } from '@rowhouse/contract/filter.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { classNames } from '../../ui/class-names.ts';
import { Popover } from '../../ui/popover.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { Pill } from '../cell/pill.tsx';
import { type Linked, linkOptionsOf, linkTitle } from './linked.ts';
import { RecordPicker } from './record-picker.tsx';
import { recordsKey } from '../../record-data/queries.ts';
import type { ConditionValueProps } from '../editor/editor-props.ts';

const asMany = ({ isMultipleCellValue: _own, ...field }: Field, several: boolean): Field => ({
  ...field,
  ...(several ? { isMultipleCellValue: true as const } : {}),
});

export const LinkValue = ({ condition, field, onValue }: ConditionValueProps) => {
  const several = takesSeveral(condition.operator);
  const ids = [condition.value].flat().filter((id): id is string => typeof id === 'string');
  const tableId = linkOptionsOf(field).foreignTableId;
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState<readonly Linked[]>([]);
  const records = useQuery({
    queryKey: [...recordsKey(tableId), 'named', ids],
    queryFn: async ({ signal }) =>
      (
        await call(listRecords, {
          params: { tableId },
          query: { fieldKeyType: 'id', selectedRecordIds: [...ids], take: ids.length, withGroups: false },
          signal,
        })
      ).records,
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  }).data;
  const linked = ids.map((id): Linked => {
    const title = records?.find((record) => record.id === id)?.name ?? picked.find((link) => link.id === id)?.title;
    return { id, ...(title === undefined ? {} : { title }) };
  });
  const label = several ? 'Values' : 'Value';
  return (
    <Popover
      label={label}
      className="p-1"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          aria-label={label}
          className={classNames(inputClass, 'flex items-center gap-1.5 pr-2 pl-2.5 text-left')}
        >
          <span
            className={classNames(
              'flex min-w-0 flex-1 items-center gap-1 overflow-hidden',
              linked.length === 0 && 'text-ink-faint',
            )}
          >
            {linked.length === 0 ? 'Choose…' : linked.map((link) => <Pill key={link.id} text={linkTitle(link)} />)}
          </span>
          <ChevronDown size={15} className="shrink-0 text-ink-faint" aria-hidden />
        </button>
      }
    >
      <RecordPicker
        label={label}
        field={asMany(field, several)}
        recordId={null}
        linked={linked}
        autoFocus
        mayCreate={false}
        onLinked={(next) => {
          setPicked(next);
          const chosen = next.flatMap(({ id }) => id ?? []);
          onValue(several ? chosen : (chosen[0] ?? null));
          if (!several) setOpen(false);
        }}
      />
    </Popover>
  );
};
