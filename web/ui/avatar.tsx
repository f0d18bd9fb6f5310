import { useState } from 'react';
import { classNames } from './class-names.ts';

const hues = [12, 45, 95, 155, 195, 230, 265, 310, 340];

export const hueOf = (text: string): number => {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return hues[sum % hues.length] as number;
};

export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? '?')][0]?.toUpperCase() ?? '?').join('');
};

/** The server may know itself by another address than this page does. */
export const hereOf = (address: string): string => {
  const { pathname, search } = new URL(address, window.location.href);
  return pathname + search;
};

const sizes = { small: 'size-6 text-[10px]', normal: 'size-8 text-[12px]', large: 'size-16 text-[22px]' };

interface AvatarProps {
  name: string;
  seed?: string;
  /** Its address; the initials without one. */
  picture?: string | null | undefined;
  small?: boolean;
  size?: keyof typeof sizes;
}

/** The initials when there is no picture, or when it cannot be loaded. */
export const Avatar = ({ name, seed, picture, small = false, size = small ? 'small' : 'normal' }: AvatarProps) => {
  const [failed, setFailed] = useState<string>();
  return picture == null || picture === failed ? (
    <span
      aria-hidden
      className={classNames('inline-flex shrink-0 items-center justify-center rounded-full font-semibold', sizes[size])}
      style={{
        background: `oklch(0.88 0.07 ${hueOf(seed ?? name)})`,
        color: `oklch(0.34 0.09 ${hueOf(seed ?? name)})`,
      }}
    >
      {initialsOf(name)}
    </span>
  ) : (
    <img
      src={hereOf(picture)}
      alt=""
      className={classNames('shrink-0 rounded-full object-cover', sizes[size])}
      onError={() => setFailed(picture)}
    />
  );
};
