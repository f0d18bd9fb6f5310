import type { CellValueType } from '@rowhouse/contract/field.ts';
import { SelectField } from '../../ui/select-field.tsx';
import type { OptionsProps } from './field-form.ts';

interface Choice {
  value: string;
  label: string;
}

const links: Choice[] = [
  { value: '', label: 'Text' },
  { value: 'url', label: 'Web address' },
  { value: 'email', label: 'E-mail address' },
  { value: 'phone', label: 'Phone number' },
];
const meters: Choice[] = [
  { value: '', label: 'Number' },
  { value: 'bar', label: 'Bar' },
  { value: 'ring', label: 'Ring' },
];
const series: Choice[] = [
  { value: '', label: 'Numbers' },
  { value: 'bar', label: 'Bars' },
  { value: 'line', label: 'Line' },
];

/** In which ways values can be shown; undefined when there is but one. */
export const waysToShow = (kind: CellValueType, isList: boolean): Choice[] | undefined =>
  kind === 'string' ? links : kind !== 'number' ? undefined : isList ? series : meters;

export const ShowAs = ({
  kind,
  isList = false,
  options,
  onChange,
}: OptionsProps & { kind: CellValueType; isList?: boolean }) => {
  const choices = waysToShow(kind, isList);
  if (choices === undefined) return null;
  const set = (type: string): void => {
    const { showAs: _before, ...rest } = options;
    if (type === '') return onChange(rest);
    const how =
      kind !== 'number'
        ? {}
        : isList
          ? { color: 'blueBright' }
          : { color: 'blueBright', showValue: true, maxValue: 100 };
    onChange({ ...rest, showAs: { type, ...how } });
  };
  return (
    <SelectField
      label="Show as"
      value={String((options['showAs'] as { type?: unknown } | undefined)?.type ?? '')}
      options={choices}
      onValue={set}
    />
  );
};
