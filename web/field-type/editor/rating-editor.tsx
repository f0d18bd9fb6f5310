import { Star } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import type { EditorProps } from './editor-props.ts';

const numberOf = (text: string | undefined, max: number): number | undefined => {
  const number = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isInteger(number) && number >= 0 && number <= max ? number : undefined;
};

export const RatingEditor = ({ field, value, initialText, label, autoFocus, onChange, onFinish }: EditorProps) => {
  const max = typeof field.options['max'] === 'number' ? field.options['max'] : 5;
  const [stars, setStars] = useState(numberOf(initialText, max) ?? (typeof value === 'number' ? value : 0));
  const set = (next: number): void => {
    setStars(next);
    onChange(next === 0 ? null : next);
  };

  useEffect(() => {
    const typed = numberOf(initialText, max);
    if (typed !== undefined) onChange(typed === 0 ? null : typed);
    // Only what opened the editor counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={stars}
      ref={(element) => {
        if (autoFocus === true) element?.focus();
      }}
      className="flex h-full w-fit items-center gap-0.5 rounded outline-none focus-visible:outline-2"
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (step !== undefined) set(Math.min(max, Math.max(0, stars + step)));
        else if (numberOf(event.key, max) !== undefined) set(Number(event.key));
        else if (event.key === 'Backspace' || event.key === 'Delete') set(0);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {Array.from({ length: max }, (_item, index) => (
        <span
          key={index}
          aria-hidden
          className="cursor-pointer p-0.5"
          onClick={() => {
            const next = index + 1 === stars ? 0 : index + 1;
            set(next);
            onFinish(next === 0 ? null : next);
          }}
        >
          <Star
            size={17}
            className={classNames(index < stars ? 'text-[#e0a100]' : 'text-line-strong')}
            fill={index < stars ? 'currentColor' : 'none'}
          />
        </span>
      ))}
    </div>
  );
};
