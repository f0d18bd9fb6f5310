import type { Role } from '@rowhouse/contract/permission.ts';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Star } from 'lucide-react';
import type { HTMLAttributes } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { BaseMark } from './base-mark.tsx';
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
  return (
    <li
      {...sorting}
      className="group relative flex items-center gap-3 rounded-xl border border-line bg-surface p-3.5 shadow-card transition-colors hover:border-line-strong hover:bg-raised"
    >
      <BaseMark id={base.id} name={base.name} icon={base.icon} />
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
