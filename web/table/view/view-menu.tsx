import {
  createView,
  deleteView,
  describeView,
  lockView,
  makeViewPersonal,
  renameView,
  type View,
} from '@rowhouse/contract/view.ts';
import { isPersonalOfAnother, useMayChangeView } from '../../record-data/use-may-change-view.ts';
import { addressOf } from '@rowhouse/contract/client.ts';
import { exportCsv } from '@rowhouse/contract/export.ts';
import { allows, type Standing } from '../../app/standing.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import { useNavigate } from '@tanstack/react-router';
import {
  ArrowDown,
  ArrowUp,
  CalendarDays,
  CopyPlus,
  Download,
  Ellipsis,
  Eye,
  FileSpreadsheet,
  Link2,
  Lock,
  LockOpen,
  Pencil,
  Printer,
  Share2,
  Text,
  Trash2,
  UserLock,
  Users,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call } from '../../app/call.ts';
import { useMe } from '../../app/me.ts';
import { queryClient } from '../../app/query-client.ts';
import { inStep, newStep } from '../../app/window-steps.ts';
import { fromHere } from '../../app/from-here.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { showProblem, showToast } from '../../ui/toast.ts';
import { viewsQuery } from '../../record-data/queries.ts';
import type { ViewQuery } from '../../view-type/query/use-view-query.ts';
import { freeName, viewTypes } from '../../view-type/view-types.ts';
import { ShareDialog } from './share-dialog.tsx';

interface ViewMenuProps {
  tableId: string;
  view: View;
  views: readonly View[];
  role: Standing;
  trigger?: ReactNode;
  /** Lists the others too, where the sidebar does not. */
  isSwitcher?: boolean;
  query?: ViewQuery;
  startsOpen?: boolean;
  /** The page shows this view. */
  isOpen?: boolean;
  /** Absent at the ends of the list. */
  onUp?: (() => void) | undefined;
  onDown?: (() => void) | undefined;
}

/** The browser fetches it and asks where to put it; the page stays. */
const downloadFile = (address: string): void =>
  Object.assign(document.createElement('a'), { href: address, download: '' }).click();

const moreButton = (name: string): ReactNode => (
  <button
    type="button"
    aria-label={`More for ${name}`}
    className="rounded-md p-1 text-ink-faint hover:bg-surface hover:text-ink"
  >
    <Ellipsis size={15} aria-hidden />
  </button>
);

export const ViewMenu = ({
  tableId,
  view,
  views,
  role,
  trigger,
  isSwitcher = false,
  query,
  startsOpen = false,
  isOpen = true,
  onUp,
  onDown,
}: ViewMenuProps) => {
  const navigate = useNavigate({ from: '/base/$baseId/$tableId' });
  const [asking, setAsking] = useState<'rename' | 'describe' | 'share' | null>(null);
  const { tools, downloads, print } = viewTypes[view.type];
  const params = { tableId, viewId: view.id };
  const close = (): void => setAsking(null);
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey });
  // The menu in the sidebar may be that of another view.
  const isShown = query !== undefined;
  const isLocked = view.isLocked === true;
  const mayChange = useMayChangeView(view, role);
  const isPersonal = view.personalOf !== undefined;
  /** Those who run the base take over what people who left have kept to themselves. */
  const mayOverrule = allows(role, 'table|update');
  const { id: ownId } = useMe();
  const isOfAnother = isPersonalOfAnother(view, ownId);
  const isLastShared = !isPersonal && !views.some(({ id, personalOf }) => id !== view.id && personalOf === undefined);
  const attempt = (work: () => Promise<void>, failed: string): void =>
    void work().catch((error: unknown) => showProblem(error, failed));

  const duplicate = async (): Promise<void> => {
    const leadOn = fromHere();
    const { type, description, options, filter, sort, group, columnMeta } = view;
    const copy = {
      type,
      options,
      columnMeta,
      // The copy of a personal view is the personal view of who makes it.
      ...(isPersonal ? { isPersonal } : {}),
      ...(description === undefined ? {} : { description }),
      ...(filter === undefined ? {} : { filter }),
      ...(sort === undefined ? {} : { sort }),
      ...(group === undefined ? {} : { group }),
    };
    const { id } = await call(createView, {
      params: { tableId },
      body: { ...copy, name: freeName(`${view.name} copy`, views) },
    });
    await refresh();
    await leadOn(() => navigate({ search: { view: id } }));
  };
  const lock = async (): Promise<void> => {
    await call(lockView, { params, body: { isLocked: !isLocked } });
    await refresh();
  };
  const makePersonal = async (): Promise<void> => {
    await call(makeViewPersonal, { params, body: { isPersonal: !isPersonal } });
    await refresh();
  };
  const restore = async (step: string): Promise<void> => {
    const leadOn = fromHere();
    const { status, errorMessage } = await call(undo, { params: { tableId }, body: { step } });
    if (status === 'failed')
      return showToast({ kind: 'problem', title: 'The view was not restored.', detail: `${errorMessage}.` });
    await refresh();
    if (status === 'fulfilled') await leadOn(() => navigate({ search: { view: view.id } }));
  };
  const remove = async (): Promise<void> => {
    const leadOn = fromHere();
    const step = newStep();
    await call(deleteView, { params, headers: inStep(step) });
    if (isOpen) await leadOn(() => navigate({ search: {} }));
    await refresh();
    showToast({
      kind: 'note',
      title: `View ${view.name} deleted.`,
      about: step,
      action: { label: 'Undo', run: () => attempt(() => restore(step), 'The view was not restored.') },
    });
  };

  return (
    <>
      <Menu trigger={trigger ?? moreButton(view.name)} startsOpen={startsOpen}>
        {isSwitcher && (
          <>
            <MenuChoice
              value={view.id}
              options={views.map(({ id, name, type }) => ({ value: id, label: name, icon: viewTypes[type].icon }))}
              onValue={(id) => void navigate({ search: { view: id } })}
            />
            <MenuSeparator />
          </>
        )}
        {mayChange && (
          <>
            <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking('rename')}>
              Rename
            </MenuItem>
            <MenuItem icon={<Text size={16} />} onSelect={() => setAsking('describe')}>
              {view.description === undefined ? 'Add a description' : 'Edit the description'}
            </MenuItem>
          </>
        )}
        {mayChange && onUp !== undefined && (
          <MenuItem icon={<ArrowUp size={16} />} onSelect={onUp}>
            Move up
          </MenuItem>
        )}
        {mayChange && onDown !== undefined && (
          <MenuItem icon={<ArrowDown size={16} />} onSelect={onDown}>
            Move down
          </MenuItem>
        )}
        {allows(role, 'view|create') && (
          <MenuItem icon={<CopyPlus size={16} />} onSelect={() => attempt(duplicate, 'The view was not duplicated.')}>
            Duplicate
          </MenuItem>
        )}
        {allows(role, 'view|share') && (
          <MenuItem icon={<Share2 size={16} />} onSelect={() => setAsking('share')}>
            Share
          </MenuItem>
        )}
        <MenuItem
          icon={<Link2 size={16} />}
          onSelect={() => void copyText(new URL(`?view=${view.id}`, window.location.href).href, 'Link copied.')}
        >
          Copy link
        </MenuItem>
        {isShown && (
          <MenuItem icon={<Printer size={16} />} onSelect={print}>
            Print
          </MenuItem>
        )}
        {downloads.includes('csv') && allows(role, 'table|export') && (
          <MenuItem
            icon={<Download size={16} />}
            onSelect={() =>
              downloadFile(`/api${addressOf(exportCsv, { params: { tableId }, query: { viewId: view.id } })}`)
            }
          >
            Download as CSV
          </MenuItem>
        )}
        {downloads.includes('xlsx') && allows(role, 'table|export') && (
          <MenuItem
            icon={<FileSpreadsheet size={16} />}
            onSelect={() =>
              downloadFile(
                `/api${addressOf(exportCsv, { params: { tableId }, query: { viewId: view.id, format: 'xlsx' } })}`,
              )
            }
          >
            Download as Excel
          </MenuItem>
        )}
        {downloads.includes('ics') && allows(role, 'table|export') && (
          <MenuItem
            icon={<CalendarDays size={16} />}
            onSelect={() =>
              downloadFile(
                `/api${addressOf(exportCsv, { params: { tableId }, query: { viewId: view.id, format: 'ics' } })}`,
              )
            }
          >
            Download as a calendar file
          </MenuItem>
        )}
        {query !== undefined && mayChange && tools.includes('filter') && (
          <MenuItem icon={<Eye size={16} />} onSelect={() => void (query.isOwn ? query.endOwn() : query.beginOwn())}>
            {query.isOwn ? 'Back to the shared filter and sort' : 'Filter and sort only for me'}
          </MenuItem>
        )}
        {(mayChange || (isOfAnother && !isLocked && mayOverrule)) && (
          <MenuItem
            icon={isPersonal ? <Users size={16} /> : <UserLock size={16} />}
            disabled={isLastShared}
            onSelect={() =>
              attempt(
                makePersonal,
                isPersonal ? 'The view was not made collaborative.' : 'The view was not made personal.',
              )
            }
          >
            {isPersonal ? 'Make collaborative' : 'Make personal'}
          </MenuItem>
        )}
        {(isLocked ? mayOverrule : mayChange) && (
          <MenuItem
            icon={isLocked ? <LockOpen size={16} /> : <Lock size={16} />}
            onSelect={() => attempt(lock, isLocked ? 'The view was not unlocked.' : 'The view was not locked.')}
          >
            {isLocked ? 'Unlock view' : 'Lock view'}
          </MenuItem>
        )}
        {allows(role, 'view|delete') && !isLocked && (!isOfAnother || mayOverrule) && (
          <>
            <MenuSeparator />
            <MenuItem
              danger
              icon={<Trash2 size={16} />}
              disabled={isLastShared}
              onSelect={() => attempt(remove, 'The view was not deleted.')}
            >
              Delete view
            </MenuItem>
          </>
        )}
      </Menu>
      {asking === 'rename' && (
        <NameDialog
          title="Rename view"
          initial={view.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(renameView, { params, body: { name } });
            await refresh();
          }}
        />
      )}
      {asking === 'share' && <ShareDialog tableId={tableId} view={view} onClose={close} />}
      {asking === 'describe' && (
        <NameDialog
          title={`Description of ${view.name}`}
          label="Description"
          isLong
          action="Save"
          initial={view.description ?? ''}
          onClose={close}
          onSubmit={async (text) => {
            await call(describeView, { params, body: { description: text === '' ? null : text } });
            await refresh();
          }}
        />
      )}
    </>
  );
};
