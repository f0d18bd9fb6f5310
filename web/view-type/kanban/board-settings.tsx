// What a board is stacked by, besides how its cards look.
import { fieldOption } from '../../field-type/field-types.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { CardSettings, Toggle } from '../card/card-settings.tsx';
import { useColumnActions } from '../grid/use-column-actions.ts';
import type { ToolProps } from '../view-type.ts';
import { statisticWords } from '../grid/statistic/statistic-words.ts';
import { totalFields, totalOf, totalStatistics } from './stack-total.ts';
import { stackFieldOf, stackFields } from './use-stacks.ts';

export const BoardSettings = (props: ToolProps) => {
  const { tableId, view, fields, disabled } = props;
  const { setOptions } = useColumnActions(tableId, view, []);
  const stack = stackFieldOf(view, fields);
  const total = totalOf(view, fields);
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
        <>
          {totalFields(fields).length > 0 && (
            <div className="flex gap-2">
              <SelectField
                label="Total above each stack"
                value={total?.field.id ?? ''}
                disabled={disabled}
                options={[{ value: '', label: 'No total' }, ...totalFields(fields).map(fieldOption)]}
                onValue={(id) => setOptions({ totalFieldId: id === '' ? null : id })}
              />
              {total !== undefined && (
                <SelectField
                  label="Summarise with"
                  value={total.statistic}
                  disabled={disabled}
                  options={totalStatistics.map((value) => ({ value, label: statisticWords[value] }))}
                  onValue={(totalFunc) => setOptions({ totalFunc })}
                />
              )}
            </div>
          )}
          <Toggle
            label="Fold empty stacks"
            checked={view.options['isEmptyStackHidden'] === true}
            disabled={disabled}
            onChange={(isEmptyStackHidden) => setOptions({ isEmptyStackHidden })}
          />
        </>
      }
    />
  );
};
