import { classNames } from '../../ui/class-names.ts';
import { choiceColor } from './choice-color.ts';

/** Without a colour it has that of lines, as links have in the grid: in the dark a light one would outshine the choices. */
export const Pill = ({ text, color }: { text: string; color?: string | undefined }) => {
  const paint = color === undefined ? undefined : choiceColor(color);
  return (
    <span
      className={classNames(
        'inline-block max-w-full truncate rounded-full px-2.5 py-px align-middle text-[13px]',
        paint === undefined && 'bg-line text-ink',
      )}
      style={paint === undefined ? undefined : { background: paint.background, color: paint.text }}
    >
      {text}
    </span>
  );
};
