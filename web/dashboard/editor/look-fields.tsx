// How a chart is drawn: nothing here changes what it calculates.
import type { ChartType, Look } from '@rowhouse/contract/chart.ts';
import { useId } from 'react';
import { chartColorNames, chartColors } from '../../chart/palette.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useTheme } from '../../ui/use-theme.ts';

interface LookFieldsProps {
  type: ChartType;
  look: Look;
  onChange: (look: Look) => void;
}

const withAxes: readonly ChartType[] = ['bar', 'stackedBar', 'line', 'area', 'scatter'];
const withColor: readonly ChartType[] = [...withAxes, 'pie'];
const withLabels: readonly ChartType[] = ['bar', 'stackedBar', 'line', 'area', 'pie', 'heatMap'];

const ColorField = ({ value, onValue }: { value: string | undefined; onValue: (color: string) => void }) => {
  const id = useId();
  const theme = useTheme();
  const chosen = value ?? chartColorNames[0];
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">First colour</legend>
      <div className="flex flex-wrap gap-2">
        {chartColorNames.map((name) => (
          <label
            key={name}
            title={name}
            className={classNames(
              'size-7 cursor-pointer rounded-full border-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              chosen === name ? 'border-ink' : 'border-transparent',
            )}
          >
            <input
              type="radio"
              name={id}
              value={name}
              aria-label={name}
              checked={chosen === name}
              className="sr-only"
              onChange={() => onValue(name)}
            />
            <span
              aria-hidden
              className="block size-full rounded-full border-2 border-surface"
              style={{ background: chartColors[theme][name] }}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
};

const without = (look: Look, key: keyof Look): Look => {
  const { [key]: _gone, ...rest } = look;
  return rest;
};

export const LookFields = ({ type, look, onChange }: LookFieldsProps) => {
  const set = (part: Partial<Look>): void => onChange({ ...look, ...part });
  const number = (key: 'yMin' | 'yMax', text: string): void =>
    onChange(text === '' || !Number.isFinite(Number(text)) ? without(look, key) : { ...look, [key]: Number(text) });
  const hasAxes = withAxes.includes(type);
  return (
    <div className="flex flex-col gap-4">
      {withColor.includes(type) && <ColorField value={look.color} onValue={(color) => set({ color })} />}
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {withLabels.includes(type) && (
          <CheckField label="Show values" checked={look.labels === true} onChecked={(labels) => set({ labels })} />
        )}
        {(type === 'bar' || type === 'stackedBar') && (
          <CheckField
            label="Horizontal bars"
            checked={look.horizontal === true}
            onChecked={(horizontal) => set({ horizontal })}
          />
        )}
        {(type === 'stackedBar' || type === 'area') && (
          <CheckField
            label="As parts of 100%"
            checked={look.percent === true}
            onChecked={(percent) => set({ percent })}
          />
        )}
        {type === 'pie' && (
          <CheckField label="With a hole" checked={look.donut === true} onChecked={(donut) => set({ donut })} />
        )}
        {type === 'number' && (
          <CheckField
            label="Lower is better"
            hint="A fall is shown as good."
            checked={look.lowerIsBetter === true}
            onChecked={(lowerIsBetter) => set({ lowerIsBetter })}
          />
        )}
      </div>
      {(type === 'line' || type === 'area') && (
        <SelectField
          label="Line"
          value={look.lineStyle ?? 'linear'}
          options={[
            { value: 'linear', label: 'Straight' },
            { value: 'normal', label: 'Smooth' },
            { value: 'step', label: 'Steps' },
          ]}
          onValue={(lineStyle) => set({ lineStyle: lineStyle as NonNullable<Look['lineStyle']> })}
        />
      )}
      {withColor.includes(type) && (
        <SelectField
          label="Legend"
          value={look.legend ?? 'bottom'}
          options={[
            { value: 'bottom', label: 'Below' },
            { value: 'top', label: 'Above' },
            { value: 'right', label: 'On the right' },
            { value: 'left', label: 'On the left' },
            { value: 'none', label: 'None' },
          ]}
          onValue={(legend) => set({ legend: legend as NonNullable<Look['legend']> })}
        />
      )}
      {hasAxes && (
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label="Title of the horizontal axis"
            maxLength={100}
            value={look.xTitle ?? ''}
            onChange={(event) => set({ xTitle: event.target.value })}
          />
          <TextField
            label="Title of the vertical axis"
            maxLength={100}
            value={look.yTitle ?? ''}
            onChange={(event) => set({ yTitle: event.target.value })}
          />
          <TextField
            label="Values from"
            type="number"
            step="any"
            placeholder="Automatic"
            value={look.yMin ?? ''}
            onChange={(event) => number('yMin', event.target.value)}
          />
          <TextField
            label="Values to"
            type="number"
            step="any"
            placeholder="Automatic"
            value={look.yMax ?? ''}
            onChange={(event) => number('yMax', event.target.value)}
          />
        </div>
      )}
      {hasAxes && type !== 'scatter' && (
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label="Target line at"
            type="number"
            step="any"
            placeholder="None"
            value={look.goal?.value ?? ''}
            onChange={(event) => {
              const { value } = event.target;
              onChange(
                value === '' || !Number.isFinite(Number(value))
                  ? without(look, 'goal')
                  : { ...look, goal: { ...look.goal, value: Number(value) } },
              );
            }}
          />
          <TextField
            label="Name of the target"
            maxLength={100}
            disabled={look.goal === undefined}
            value={look.goal?.label ?? ''}
            onChange={(event) => look.goal !== undefined && set({ goal: { ...look.goal, label: event.target.value } })}
          />
        </div>
      )}
    </div>
  );
};
