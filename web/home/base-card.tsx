import type { Role } from '@rowhouse/contract/permission.ts';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Star } from 'lucide-react';
import type { HTMLAttributes } from 'react';
import { hueOf } from '../ui/avatar.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { BaseMenu } from './base-menu.tsx';
import { useFavourites } from './favourites.ts';

export interface BaseCardProps {
  base: { id: string; name: string; icon: string | null; role: Role; isBound?: true | undefined };
  note?: string;
  /** Where cards are put in order by hand. */
  sorting?: HTMLAttributes<HTMLElement>;
}

export const BaseCard = ({ base, note, sorting = {} }: BaseCardProps) => {
  const { isFavourite } = useFavourites();
  const hue = hueOf(base.id);
  return (
    <li
      {...sorting}
      className="group relative flex items-center gap-3 rounded-xl border border-line bg-surface p-3.5 shadow-card transition-colors hover:border-line-strong hover:bg-raised"
    >
      <span
        aria-hidden
        className="flex size-10 shrink-0 items-center justify-center rounded-lg text-[17px] font-semibold"
        style={{ background: `oklch(0.9 0.06 ${hue})`, color: `oklch(0.36 0.09 ${hue})` }}
      >
        {base.icon ?? [...base.name][0]?.toUpperCase()}
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to="/base/$baseId"
          params={{ baseId: base.id }}
          draggable={false}
          className="flex items-center gap-1.5 font-medium after:absolute after:inset-0 after:rounded-xl"
        >
          <span className="truncate">{base.name}</span>
          {isFavourite(base.id) && <Star size={13} className="shrink-0 fill-warn text-warn" aria-label="Favourite" />}
        </Link>
        <p className="truncate text-[13px] text-ink-faint first-letter:uppercase">{note ?? base.role}</p>
      </div>
      <div className="relative z-10">
        <BaseMenu
          base={base}
          align="end"
          trigger={
            <IconButton label={`More for ${base.name}`}>
              <Ellipsis size={17} />
            </IconButton>
          }
        />
      </div>
    </li>
  );
};
