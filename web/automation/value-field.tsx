// A text with chips in it. Chips are pieces that cannot be typed into: one press of Backspace removes them.
import { Braces } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { FieldFrame } from '../ui/field-frame.tsx';
import { OptionPopover } from '../ui/option-popover.tsx';
import { inputClass, TextField } from '../ui/text-field.tsx';
import { chipLabel, type Source } from './sources.ts';
import { partsOf, type ValuePart, valueOf } from './value-text.ts';

const chipClass =
  'mx-0.5 inline-block max-w-full truncate rounded-md bg-accent-soft px-1.5 align-bottom text-[13px] leading-5 text-accent select-none';

const chipElement = (chip: string, label: string): HTMLElement => {
  const element = document.createElement('span');
  element.dataset['chip'] = chip;
  element.contentEditable = 'false';
  element.className = chipClass;
  element.textContent = label;
  return element;
};

const fill = (box: HTMLElement, parts: readonly ValuePart[], sources: readonly Source[]): void =>
  box.replaceChildren(
    ...parts.map((part) => ('text' in part ? part.text : chipElement(part.chip, chipLabel(part.chip, sources)))),
  );

const readBox = (box: HTMLElement): ValuePart[] => {
  const parts: ValuePart[] = [];
  const add = (text: string): void => {
    const last = parts.at(-1);
    if (last !== undefined && 'text' in last) last.text += text;
    else if (text !== '') parts.push({ text });
  };
  const walk = (node: Node): void => {
    if (node instanceof HTMLElement && node.dataset['chip'] !== undefined) parts.push({ chip: node.dataset['chip'] });
    else if (node instanceof HTMLBRElement) {
      // The browser keeps one at the end of a last line that is empty.
      if (node.nextSibling !== null) add('\n');
    } else if (node.nodeType === Node.TEXT_NODE) add(node.textContent ?? '');
    else node.childNodes.forEach(walk);
  };
  box.childNodes.forEach(walk);
  return parts;
};

interface ValueFieldProps {
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  value: unknown;
  sources: readonly Source[];
  lines?: boolean;
  isNumber?: boolean;
  placeholder?: string;
  onValue: (value: unknown) => void;
}

export const ValueField = (props: ValueFieldProps) => {
  const {
    label,
    hideLabel,
    hint,
    error,
    value,
    sources,
    lines = false,
    isNumber = false,
    placeholder,
    onValue,
  } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const caret = useRef<Range>(undefined);
  const [isOpen, setOpen] = useState(false);
  const parts = partsOf(value);
  const key = JSON.stringify([parts, sources.map((source) => [source.label, source.values.map((one) => one.label)])]);
  const drawn = useRef('');
  useEffect(() => {
    const element = box.current;
    if (element === null || parts === undefined || drawn.current === key) return;
    drawn.current = key;
    // Under the hands of who types in it stands what was typed.
    if (JSON.stringify(readBox(element)) !== JSON.stringify(parts) || document.activeElement !== element)
      fill(element, parts, sources);
  });

  const tell = (): void => {
    if (box.current !== null) onValue(valueOf(readBox(box.current), isNumber));
  };
  const noteCaret = (): void => {
    const selection = window.getSelection();
    if (selection !== null && selection.rangeCount > 0 && box.current?.contains(selection.anchorNode) === true)
      caret.current = selection.getRangeAt(0).cloneRange();
  };
  const insert = (chip: string): void => {
    const element = box.current;
    if (element === null) return;
    const range = caret.current ?? document.createRange();
    if (caret.current === undefined || !element.contains(range.startContainer)) {
      range.selectNodeContents(element);
      range.collapse(false);
    }
    range.deleteContents();
    const made = chipElement(chip, chipLabel(chip, sources));
    range.insertNode(made);
    range.setStartAfter(made);
    range.collapse(true);
    caret.current = range;
    tell();
  };

  if (parts === undefined)
    return (
      <TextField
        label={`${label} (formula)`}
        hint="Clear it to type text instead."
        error={error}
        value={(value as { formula: string }).formula}
        onChange={(event) => onValue(event.target.value === '' ? '' : { formula: event.target.value })}
      />
    );
  const options = sources.flatMap((source) =>
    source.values.map((one) => ({ value: one.chip, label: one.label, note: source.label })),
  );
  return (
    <FieldFrame id={id} label={label} hideLabel={hideLabel ?? false} hint={hint} error={error}>
      <div className="flex items-start gap-1.5">
        <div
          ref={box}
          id={id}
          role="textbox"
          tabIndex={0}
          aria-label={label}
          aria-multiline={lines}
          aria-invalid={error !== undefined || undefined}
          contentEditable="plaintext-only"
          suppressContentEditableWarning
          data-placeholder={parts.length === 0 ? placeholder : undefined}
          className={classNames(
            inputClass,
            'h-auto! min-h-9 flex-1 py-1.5 break-words whitespace-pre-wrap empty:before:text-ink-faint empty:before:content-[attr(data-placeholder)]',
            lines && 'min-h-28',
          )}
          onInput={tell}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !lines) event.preventDefault();
          }}
          onKeyUp={noteCaret}
          onPointerUp={noteCaret}
          onBlur={noteCaret}
        />
        <Radix.Root open={isOpen} onOpenChange={setOpen}>
          <Radix.Trigger asChild>
            <button
              type="button"
              aria-label={`Insert a value into ${label}`}
              title="Insert a value"
              className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg border border-line-strong bg-surface text-ink-soft shadow-card hover:bg-sunken hover:text-ink"
            >
              <Braces size={16} />
            </button>
          </Radix.Trigger>
          <OptionPopover
            label="Values"
            options={options}
            selected={[]}
            onPick={(chip) => {
              setOpen(false);
              insert(chip);
            }}
          />
        </Radix.Root>
      </div>
    </FieldFrame>
  );
};
