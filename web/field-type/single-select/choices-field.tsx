import { choiceColors, colors } from '@rowhouse/contract/color.ts';
import { GripVertical, Plus, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { reordered } from '../../ui/reorder.ts';
import { useSortable } from '../../ui/use-sortable.ts';
import { choiceColor } from '../cell/choice-color.ts';
import { choicesOf, type Choice } from '../cell/cell-parts.ts';
import type { OptionsProps } from '../option/field-form.ts';

/** The first that no other choice has; all taken, in turn. */
const freshColor = (choices: readonly { color: string }[]): string =>
  choiceColors.find((color) => !choices.some((choice) => choice.color === color)) ??
  (choiceColors[choices.length % choiceColors.length] as string);

export const ChoicesField = ({ options, onChange }: OptionsProps) => {
  const choices = choicesOf({ options }) as (Omit<Choice, 'id'> & { id?: string })[];
  const set = (next: typeof choices): void => onChange({ ...options, choices: next });
  const change = (index: number, part: Partial<Choice>): void =>
    set(choices.map((choice, place) => (place === index ? { ...choice, ...part } : choice)));

  const add = (): void => set([...choices, { name: '', color: freshColor(choices) }]);
  /** Enter goes on to the next choice, and behind the last one to a new one. It does not save the field. */
  const next = (event: KeyboardEvent<HTMLInputElement>, index: number): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const inputs = event.currentTarget.closest('fieldset')?.querySelectorAll('input') ?? [];
    if (index < choices.length - 1) inputs[index + 1]?.focus();
    else if (event.currentTarget.value.trim() !== '') add();
  };
  const keyOf = (choice: (typeof choices)[number], index: number): string => choice.id ?? `new-${index}`;
  const keys = choices.map(keyOf);
  const { propsOf, handleOf } = useSortable({
    ids: keys,
    nameOf: (key) => choices[keys.indexOf(key)]?.name ?? '',
    hasHandle: true,
    onMove: (key, { anchorId, position }) =>
      position !== 'into' &&
      set(
        reordered(keys, key, anchorId, position).map((one) => choices[keys.indexOf(one)] as (typeof choices)[number]),
      ),
  });

  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">Choices</legend>
      <div className="flex max-h-60 flex-col gap-2 overflow-y-auto p-0.5">
        {choices.map((choice, index) => (
          <div key={keyOf(choice, index)} {...propsOf(keyOf(choice, index))} className="flex items-center gap-2">
            <span
              {...handleOf(keyOf(choice, index))}
              title="Drag to move, or press Alt, Shift and an arrow key in its name"
              className="-mr-1 cursor-grab text-ink-faint active:cursor-grabbing"
            >
              <GripVertical size={15} aria-hidden />
            </span>
            <Popover
              label="Colour"
              trigger={
                <button
                  type="button"
                  aria-label={`Colour of ${choice.name === '' ? 'the new choice' : choice.name}`}
                  className="size-6 shrink-0 rounded-full border border-line"
                  style={{ background: choiceColor(choice.color).background }}
                />
              }
            >
              <div className="grid grid-cols-5 gap-1.5">
                {colors.map((color) => (
                  <button
                    key={color}
                    type="button"
                    aria-label={color}
                    title={color}
                    className="size-6 rounded-full border border-line"
                    style={{ background: choiceColor(color).background }}
                    onClick={() => change(index, { color })}
                  />
                ))}
              </div>
            </Popover>
            <input
              className={inputClass}
              aria-label={`Choice ${index + 1}`}
              maxLength={1_000}
              value={choice.name}
              autoFocus={choice.name === '' && index === choices.length - 1}
              onKeyDown={(event) => next(event, index)}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            <IconButton
              label={`Remove ${choice.name}`}
              onClick={() => set(choices.filter((_choice, place) => place !== index))}
            >
              <X size={16} />
            </IconButton>
          </div>
        ))}
      </div>
      <Button size="small" className="self-start" icon={<Plus size={15} />} onClick={add}>
        Add choice
      </Button>
    </fieldset>
  );
};
