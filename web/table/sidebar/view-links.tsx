import { allows, type Standing } from '../../app/standing.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Lock, Plus, UserLock } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../app/me.ts';
import { classNames } from '../../ui/class-names.ts';
import { inSight } from '../../ui/focus.ts';
import { menuRow } from '../../ui/menu.tsx';
import { hasNoHover } from '../../ui/long-press.ts';
import { chosenView } from '../../record-data/first-questions.ts';
import { viewsQuery } from '../../record-data/queries.ts';
import { isPersonalOfAnother } from '../../record-data/use-may-change-view.ts';
import type { Destination } from '../../ui/reorder.ts';
import { useSortable } from '../../ui/use-sortable.ts';
import { placeView } from '../view/place-view.ts';
import { NewViewMenu } from '../view/new-view-menu.tsx';
import { ViewMenu } from '../view/view-menu.tsx';
import { viewTypes } from '../../view-type/view-types.ts';
import { sidebarItemClass } from './sidebar-state.ts';

/** The views of the table that is open. */
export const ViewLinks = ({ baseId, tableId, role }: { baseId: string; tableId: string; role: Standing }) => {
  const views = useQuery(viewsQuery(tableId)).data ?? [];
  const { view: wanted } = useSearch({ strict: false }) as { view?: string };
  const shown = chosenView(views, wanted);
  const { id: ownId } = useMe();
  const isOfAnother = (view: View): boolean => isPersonalOfAnother(view, ownId);
  const near = views.filter((view) => !isOfAnother(view));
  const far = views.filter(isOfAnother);
  const navigate = useNavigate();
  const [menuOf, setMenuOf] = useState<string>();
  /** An address without a view shows the first one: another one may be first then. */
  const place = async (id: string, to: Destination): Promise<void> => {
    if (wanted === undefined && shown !== undefined)
      await navigate({ to: '.', search: (before: object) => ({ ...before, view: shown.id }), replace: true } as never);
    await placeView(tableId, id, to);
  };
  const sortable = useSortable({
    ids: near.map(({ id }) => id),
    nameOf: (id) => views.find((view) => view.id === id)?.name ?? '',
    onMove: allows(role, 'view|update') ? (id, to) => void place(id, to) : undefined,
  });
  const mover = (id: string, by: -1 | 1) => (sortable.canMoveBy(id, by) ? () => sortable.moveBy(id, by) : undefined);
  const linkOf = (view: View) => {
    const { icon: Icon } = viewTypes[view.type];
    const isShown = view.id === shown?.id;
    return (
      <li
        key={view.id}
        {...(isOfAnother(view) ? {} : sortable.propsOf(view.id))}
        {...menuRow}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenuOf(view.id);
        }}
        ref={isShown ? inSight : null}
        className={classNames(
          'group flex items-center rounded-lg pr-1',
          isShown ? 'bg-accent-soft' : 'hover:bg-sunken',
        )}
      >
        <Link
          to="/base/$baseId/$tableId"
          params={{ baseId, tableId }}
          search={{ view: view.id }}
          title={view.description}
          draggable={false}
          aria-current={isShown ? 'page' : undefined}
          className={classNames(sidebarItemClass, isShown && 'font-medium text-accent hover:text-accent')}
        >
          <Icon size={15} className="shrink-0" aria-hidden />
          <span className="truncate">{view.name}</span>
          {view.isLocked === true && <Lock size={12} className="shrink-0" aria-label="Locked" />}
          {view.personalOf !== undefined && <UserLock size={12} className="shrink-0" aria-label="Personal" />}
        </Link>
        {(isShown || menuOf === view.id || hasNoHover()) && (
          <ViewMenu
            startsOpen={menuOf === view.id}
            isOpen={isShown}
            tableId={tableId}
            view={view}
            views={views}
            role={role}
            onUp={mover(view.id, -1)}
            onDown={mover(view.id, 1)}
          />
        )}
      </li>
    );
  };
  return (
    <nav aria-label="Views" className="my-1 ml-3.5 border-l border-line pl-1.5">
      <ul className="flex flex-col gap-px">{near.map(linkOf)}</ul>
      {far.length > 0 && (
        <details open={shown !== undefined && isOfAnother(shown)}>
          <summary className="cursor-pointer rounded-lg px-2 py-1 text-[12px] text-ink-faint hover:text-ink">
            Views of others ({far.length})
          </summary>
          <ul className="flex flex-col gap-px">{far.map(linkOf)}</ul>
        </details>
      )}
      {allows(role, 'view|create') && (
        <NewViewMenu
          tableId={tableId}
          views={views}
          trigger={
            <button type="button" className={`${sidebarItemClass} w-full hover:bg-sunken`}>
              <Plus size={15} aria-hidden /> New view
            </button>
          }
        />
      )}
    </nav>
  );
};
