import { Star } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import type { CellEditing, EditorProps } from '../editor/editor-props.ts';
import { mostStars } from './rating-type.ts';

const numberOf = (text: string | undefined, max: number): number | undefined => {
  const number = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isInteger(number) && number >= 0 && number <= max ? number : undefined;
};

const RatingEditor = ({ field, value, initialText, label, autoFocus, onChange, onFinish }: EditorProps) => {
  const max = mostStars(field);
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

export const ratingEditing: CellEditing = { Editor: RatingEditor, frame: 'line' };
