import { hueOf } from '../ui/avatar.tsx';

interface BaseMarkProps {
  /** Its colour comes from it. */
  id: string;
  name: string;
  icon: string | null;
  small?: boolean;
}

/** How a base is told from others at a glance: by its icon, else by its first letter. A template looks like the base that it becomes. */
export const BaseMark = ({ id, name, icon, small = false }: BaseMarkProps) => {
  const hue = hueOf(id);
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center rounded-lg font-semibold ${small ? 'size-9 text-[16px]' : 'size-10 text-[17px]'}`}
      style={{ background: `oklch(0.9 0.06 ${hue})`, color: `oklch(0.36 0.09 ${hue})` }}
    >
      {icon ?? [...name][0]?.toUpperCase()}
    </span>
  );
};
