// One of a few, side by side. Radix moves between them with the arrow keys, as people expect of radio buttons.
import { ToggleGroup } from 'radix-ui';

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onValue: (value: string) => void;
}

export const Choice = ({ label, value, options, onValue }: ChoiceProps) => (
  // An empty value is a second press on the chosen one: it stays chosen.
  <ToggleGroup.Root
    type="single"
    aria-label={label}
    value={value}
    onValueChange={(next) => next !== '' && onValue(next)}
    className="inline-flex max-w-full flex-wrap rounded-lg border border-line p-0.5"
  >
    {options.map((option) => (
      <ToggleGroup.Item
        key={option.value}
        value={option.value}
        className="rounded-md px-3 py-1 font-medium text-ink-soft hover:text-ink data-[state=on]:bg-accent-soft data-[state=on]:text-accent"
      >
        {option.label}
      </ToggleGroup.Item>
    ))}
  </ToggleGroup.Root>
);
