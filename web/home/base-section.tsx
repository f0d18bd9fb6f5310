import { useId } from 'react';
import { BaseCard, type BaseCardProps } from './base-card.tsx';

interface BaseSectionProps<B> {
  title: string;
  bases: readonly B[];
  noteOf: (base: B) => string;
}

/** Nothing when there are none. */
export const BaseSection = <B extends BaseCardProps['base']>({ title, bases, noteOf }: BaseSectionProps<B>) => {
  const id = useId();
  if (bases.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-[15px] font-semibold">
        {title}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3">
        {bases.map((base) => (
          <BaseCard key={base.id} base={base} note={noteOf(base)} />
        ))}
      </ul>
    </section>
  );
};
