// How a board or a gallery shows its cards.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Popover } from '../../ui/popover.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { fieldOption } from '../../field-type/field-types.ts';
import { colorFields, coverOf, pictureFields } from './card-cover.tsx';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';
import { useColumnActions } from '../grid/use-column-actions.ts';

interface CardSettingsProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  disabled: boolean;
  /** What the button says when it has more to say than “Cards”. */
  label?: string | undefined;
  /** What else a view of cards is asked: before the cards, and at their end. */
  first?: ReactNode;
  more?: ReactNode;
}

export const Toggle = ({
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

export const CardSettings = ({ tableId, view, fields, disabled, label, first, more }: CardSettingsProps) => {
  const { setOptions } = useColumnActions(tableId, view, []);
  const { color, picture, isFit } = coverOf(view, fields);
  return (
    <Popover
      label="Cards"
      trigger={<ToolbarButton icon={<SlidersHorizontal size={16} aria-hidden />} label={label ?? 'Cards'} />}
    >
      <div className="flex w-64 max-w-full flex-col gap-3">
        {first}
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
        {more}
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
