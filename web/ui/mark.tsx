import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = {
  good: 'bg-accent-soft text-accent',
  idle: 'bg-sunken text-ink-soft',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-danger-soft text-danger',
} as const;

export type Tone = keyof typeof tones;

/** The state of something, in a word. */
export const Mark = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span
    className={classNames(
      'inline-flex shrink-0 items-center gap-1.5 rounded-full px-2 text-[12px] leading-5 font-medium whitespace-nowrap',
      tones[tone],
    )}
  >
    {children}
  </span>
);
