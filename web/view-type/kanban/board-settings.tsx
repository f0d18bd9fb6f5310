// What a board is stacked by, besides how its cards look.
import { fieldOption } from '../../field-type/field-type.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { CardSettings, Toggle } from '../card/card-settings.tsx';
import { useColumnActions } from '../grid/use-column-actions.ts';
import type { ToolProps } from '../view-type.ts';
import { stackFieldOf, stackFields } from './use-stacks.ts';

export const BoardSettings = (props: ToolProps) => {
  const { tableId, view, fields, disabled } = props;
  const { setOptions } = useColumnActions(tableId, view, []);
  const stack = stackFieldOf(view, fields);
  return (
    <CardSettings
      {...props}
      label={stack === undefined ? undefined : `Stacked by ${stack.name}`}
      first={
        stack !== undefined && (
          <SelectField
            label="Stack by"
            value={stack.id}
            disabled={disabled}
            options={stackFields(fields).map(fieldOption)}
            onValue={(stackFieldId) => setOptions({ stackFieldId })}
          />
        )
      }
      more={
        <Toggle
          label="Fold empty stacks"
          checked={view.options['isEmptyStackHidden'] === true}
          disabled={disabled}
          onChange={(isEmptyStackHidden) => setOptions({ isEmptyStackHidden })}
        />
      }
    />
  );
};
