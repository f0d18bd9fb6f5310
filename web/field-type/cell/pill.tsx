import { choiceColor } from './choice-color.ts';

export const Pill = ({ text, color }: { text: string; color: string }) => {
  const paint = choiceColor(color);
  return (
    <span
      className="inline-block max-w-full truncate rounded-full px-2.5 py-px align-middle text-[13px]"
      style={{ background: paint.background, color: paint.text }}
    >
      {text}
    </span>
  );
};
