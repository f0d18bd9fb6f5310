// Which folders of the sidebar are closed, in this browser.
import { createStored } from '../../app/stored.ts';

const most = 500;

const closed = createStored<readonly string[]>('rowhouse.closed-folders', [], (value) =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : undefined,
);

export const useClosedFolders = (): ReadonlySet<string> => new Set(closed.use());

export const toggleFolder = (folderId: string, isOpen: boolean): void => {
  const others = closed.read().filter((id) => id !== folderId);
  closed.write(isOpen ? others : [...others, folderId].slice(-most));
};
