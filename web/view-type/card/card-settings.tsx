// How a board or a gallery shows its cards.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import { Popover } from '../../ui/popover.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { fieldOption } from '../../field-type/field-type.ts';
import { colorFields, coverOf, pictureFields } from './card-cover.tsx';
import { stackFieldOf, stackFields } from '../kanban/use-stacks.ts';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';
import { useColumnActions } from '../grid/use-column-actions.ts';

export interface CardSettingsProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  disabled: boolean;
}

const Toggle = ({
  label,
  checked,
  disabled,
  onChange,
}: {
  label: string;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}) => {
  const id = useId();
  return (
    <div className="flex items-center gap-2.5">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  );
};

export const CardSettings = ({ tableId, view, fields, disabled }: CardSettingsProps) => {
  const { setOptions } = useColumnActions(tableId, view, []);
  const isBoard = view.type === 'kanban';
  const stack = stackFieldOf(view, fields);
  const { color, picture, isFit } = coverOf(view, fields);
  return (
    <Popover
      label="Cards"
      trigger={
        <ToolbarButton
          icon={<SlidersHorizontal size={16} aria-hidden />}
          label={isBoard && stack !== undefined ? `Stacked by ${stack.name}` : 'Cards'}
        />
      }
    >
      <div className="flex w-64 max-w-full flex-col gap-3">
        {isBoard && stack !== undefined && (
          <SelectField
            label="Stack by"
            value={stack.id}
            disabled={disabled}
            options={stackFields(fields).map(fieldOption)}
            onValue={(stackFieldId) => setOptions({ stackFieldId })}
          />
        )}
        {pictureFields(fields).length > 0 && (
          <SelectField
            label="Cover"
            value={picture?.id ?? ''}
            disabled={disabled}
            options={[{ value: '', label: 'No cover' }, ...pictureFields(fields).map(fieldOption)]}
            onValue={(id) => setOptions({ coverFieldId: id === '' ? null : id })}
          />
        )}
        {picture !== undefined && (
          <Toggle
            label="Show the whole picture"
            checked={isFit}
            disabled={disabled}
            onChange={(isCoverFit) => setOptions({ isCoverFit })}
          />
        )}
        {colorFields(fields).length > 0 && (
          <SelectField
            label="Colour by"
            value={color?.id ?? ''}
            disabled={disabled}
            options={[{ value: '', label: 'No colour' }, ...colorFields(fields).map(fieldOption)]}
            onValue={(id) => setOptions({ colorFieldId: id === '' ? null : id })}
          />
        )}
        {isBoard && (
          <Toggle
            label="Fold empty stacks"
            checked={view.options['isEmptyStackHidden'] === true}
            disabled={disabled}
            onChange={(isEmptyStackHidden) => setOptions({ isEmptyStackHidden })}
          />
        )}
        <Toggle
          label="Show field names"
          checked={view.options['isFieldNameHidden'] !== true}
          disabled={disabled}
          onChange={(isShown) => setOptions({ isFieldNameHidden: !isShown })}
        />
      </div>
    </Popover>
  );
};
