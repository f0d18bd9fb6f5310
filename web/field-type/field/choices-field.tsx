import { choiceColors, colors } from '@rowhouse/contract/field.ts';
import { Plus, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { choiceColor } from '../cell/choice-color.ts';
import { choicesOf, type Choice } from '../../record-data/cell/cell-text.ts';
import type { OptionsProps } from './number-options.tsx';

/** The first that no other choice has; all taken, in turn. */
const freshColor = (choices: readonly { color: string }[]): string =>
  choiceColors.find((color) => !choices.some((choice) => choice.color === color)) ??
  (choiceColors[choices.length % choiceColors.length] as string);

export const ChoicesField = ({ options, onChange }: OptionsProps) => {
  const choices = choicesOf({ options }) as (Omit<Choice, 'id'> & { id?: string })[];
  const set = (next: typeof choices): void => onChange({ ...options, choices: next });
  const change = (index: number, part: Partial<Choice>): void =>
    set(choices.map((choice, place) => (place === index ? { ...choice, ...part } : choice)));

  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">Choices</legend>
      <div className="flex max-h-60 flex-col gap-2 overflow-y-auto p-0.5">
        {choices.map((choice, index) => (
          <div key={choice.id ?? `new-${index}`} className="flex items-center gap-2">
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
      <Button
        size="small"
        className="self-start"
        icon={<Plus size={15} />}
        onClick={() => set([...choices, { name: '', color: freshColor(choices) }])}
      >
        Add a choice
      </Button>
    </fieldset>
  );
};
