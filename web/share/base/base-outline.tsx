// What is in a shared base: folders, tables, and the views of the one that is open.
import type { BaseNode } from '@rowhouse/contract/node.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { Folder, Sheet } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { viewTypes } from '../../view-type/view-types.ts';
import { goTo, pathTo } from './base-place.ts';

/** Forms are filled in through links of their own. */
export const isShownHere = ({ type }: View): boolean => shapeOf(type).share === 'records';

export const tablesInOrder = (nodes: readonly BaseNode[], tables: readonly Table[]): Table[] => {
  const placed = nodes.flatMap(({ resourceId }) => tables.find(({ id }) => id === resourceId) ?? []);
  return [...placed, ...tables.filter((table) => !placed.includes(table))];
};

interface LinkToProps {
  path: string;
  isCurrent: boolean;
  className: string;
  children: ReactNode;
}

const LinkTo = ({ path, isCurrent, className, children }: LinkToProps) => (
  <a
    href={path}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      goTo(path);
    }}
    className={classNames('flex h-8 min-w-0 flex-1 items-center gap-2 rounded-lg px-2 max-md:h-10', className)}
  >
    {children}
  </a>
);

interface Row {
  id: string;
  depth: number;
  name: string;
  /** Undefined: a folder. */
  table: Table | undefined;
}

interface BaseOutlineProps {
  shareId: string;
  base: { name: string; icon?: string | null };
  nodes: readonly BaseNode[];
  tables: readonly Table[];
  table: Table | undefined;
  views: readonly View[];
  viewId: string | undefined;
}

export const BaseOutline = ({ shareId, base, nodes, tables, table: open, views, viewId }: BaseOutlineProps) => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const depthOf = ({ parentId }: BaseNode): number => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    return parent === undefined ? 0 : depthOf(parent) + 1;
  };
  const rows = nodes.flatMap((node): Row[] => {
    const depth = depthOf(node);
    if (node.resourceType === 'folder') return [{ id: node.id, depth, name: node.resourceMeta.name, table: undefined }];
    const table = tables.find(({ id }) => id === node.resourceId);
    return table === undefined ? [] : [{ id: node.id, depth, name: table.name, table }];
  });
  return (
    <>
      <div className="flex h-13 shrink-0 items-center gap-2 px-4">
        {typeof base.icon === 'string' && <span aria-hidden>{base.icon}</span>}
        <p className="truncate text-[15px] font-semibold">{base.name}</p>
      </div>
      <nav aria-label="Tables" className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        <ul className="flex flex-col gap-px">
          {rows.map(({ id, depth, name, table }) => (
            <li key={id} style={{ paddingLeft: depth * 14 }}>
              {table === undefined ? (
                <p className="flex h-8 items-center gap-2 px-2 text-ink-soft max-md:h-10">
                  <Folder size={16} className="shrink-0 text-ink-faint" aria-hidden />
                  <span className="truncate">{name}</span>
                </p>
              ) : (
                <LinkTo
                  path={pathTo(shareId, table.id)}
                  isCurrent={table.id === open?.id}
                  className={
                    table.id === open?.id
                      ? 'bg-sunken font-medium text-ink'
                      : 'text-ink-soft hover:bg-sunken hover:text-ink'
                  }
                >
                  <span className="flex w-4 shrink-0 justify-center" aria-hidden>
                    {table.icon ?? <Sheet size={16} className="text-ink-faint" />}
                  </span>
                  <span className="truncate">{name}</span>
                </LinkTo>
              )}
              {table !== undefined && table.id === open?.id && views.length > 0 && (
                <ul aria-label={`Views of ${name}`} className="my-px flex flex-col gap-px pl-4">
                  {views.map((view) => {
                    const { icon: Icon } = viewTypes[view.type];
                    return (
                      <li key={view.id}>
                        <LinkTo
                          path={pathTo(shareId, table.id, view.id)}
                          isCurrent={view.id === viewId}
                          className={
                            view.id === viewId
                              ? 'bg-accent-soft font-medium text-accent'
                              : 'text-ink-soft hover:bg-sunken hover:text-ink'
                          }
                        >
                          <Icon size={15} className="shrink-0" aria-hidden />
                          <span className="truncate">{view.name}</span>
                        </LinkTo>
                      </li>
                    );
                  })}
                </ul>
              )}
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
};
