// What a Gantt chart asks besides its bars: what waits for what, how long, and what is a milestone.
import { useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';
import { Toggle } from '../card/card-settings.tsx';
import { checkboxes, ownLinks, singleNumbers } from '../bars/bar-fields.ts';
import { BarSettings, FieldChoice } from '../bars/bar-settings.tsx';
import type { ToolProps } from '../view-type.ts';
import { NewDependencyField } from './new-dependency-field.tsx';

const Lag = ({ given, disabled, onLag }: { given: unknown; disabled: boolean; onLag: (lag: number) => void }) => {
  const [text, setText] = useState(typeof given === 'number' ? String(given) : '0');
  const lag = Number(text.replace(',', '.'));
  const isWrong = text.trim() === '' || Number.isNaN(lag) || Math.abs(lag) > 10_000;
  return (
    <TextField
      label="Working days between"
      inputMode="decimal"
      disabled={disabled}
      value={text}
      error={isWrong ? 'Write a number of days, such as 2; below zero they overlap.' : undefined}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => !isWrong && lag !== (typeof given === 'number' ? given : 0) && onLag(lag)}
    />
  );
};

export const GanttSettings = (props: ToolProps) => {
  const { tableId, view, fields, disabled } = props;
  const links = ownLinks(fields, tableId);
  return (
    <BarSettings {...props}>
      {(onOptions) => {
        const choice = { view, disabled, onOptions };
        return (
          <>
            {links.length === 0 ? (
              !disabled && (
                <NewDependencyField
                  tableId={tableId}
                  onMade={(dependencyFieldId) => onOptions({ dependencyFieldId })}
                />
              )
            ) : (
              <FieldChoice {...choice} label="Waits for" none="Nothing" option="dependencyFieldId" among={links} />
            )}
            {view.options['dependencyFieldId'] != null && (
              <>
                <Lag given={view.options['lag']} disabled={disabled} onLag={(lag) => onOptions({ lag })} />
                <FieldChoice
                  {...choice}
                  label="Or as a field says"
                  none="The same for all"
                  option="lagFieldId"
                  among={singleNumbers(fields)}
                />
                <Toggle
                  label="Show the critical path"
                  checked={view.options['isCriticalShown'] === true}
                  disabled={disabled}
                  onChange={(isCriticalShown) => onOptions({ isCriticalShown })}
                />
              </>
            )}
            {checkboxes(fields).length > 0 && (
              <FieldChoice
                {...choice}
                label="Milestones"
                none="None"
                option="milestoneFieldId"
                among={checkboxes(fields)}
              />
            )}
          </>
        );
      }}
    </BarSettings>
  );
};
