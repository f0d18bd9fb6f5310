// Server-Sent Events while someone looks: tabs in the background give theirs back, and who returns is told to read
// everything again.
import type { EventData, EventName } from '@rowhouse/contract/event.ts';
import { setCell } from './presence/cells.ts';
import { setPresent } from './presence/present.ts';
import { askForRoles } from './query-client.ts';
import { sharedHub } from './shared-hub.ts';
import { streamUrl } from './viewing.ts';

interface StreamOptions {
  on: Partial<Record<EventName, (data: unknown) => void>>;
  /** Something may have been missed. */
  onGap: () => void;
  /** The id of an event: whatever came after it is told. Empty: there was something to hear before, but it is not known since when. */
  since?: string | undefined;
}

/** With a position nothing is missed meanwhile: the first cells are drawn first. */
const afterFirstCells = 600;

export const openStream = (url: string, { on, onGap, since }: StreamOptions): (() => void) => {
  let stop: (() => void) | undefined;
  let wasOpen = since === '';
  let presentIn: string | undefined;

  const close = (): void => {
    stop?.();
    stop = undefined;
    if (presentIn !== undefined) setPresent(presentIn, []);
    presentIn = undefined;
  };
  const connect = (): void => {
    close();
    if (wasOpen) onGap();
    stop = sharedHub().listen(
      streamUrl(url),
      (message) => {
        if (message.kind === 'gap') return onGap();
        // A stream that was cut at the moment when access ended is refused when it is opened again, and hears of no end.
        if (message.kind === 'refused') return askForRoles();
        if (message.kind === 'end') {
          // Access has ended, as a rule: a page of what may no longer be seen would stay as it was.
          askForRoles();
          return close();
        }
        const data = JSON.parse(message.data === '' ? '{}' : message.data) as unknown;
        // Anyone who opened the stream of a table with `presence` need not pass on who else is there.
        if (message.name === 'presence.changed') {
          const { tableId, users } = data as EventData<'presence.changed'>;
          presentIn = tableId;
          setPresent(tableId, users);
        }
        if (message.name === 'presence.cell') setCell(data as EventData<'presence.cell'>);
        on[message.name]?.(data);
      },
      wasOpen ? undefined : since,
    );
    wasOpen = true;
  };
  const follow = (): void => (document.visibilityState === 'visible' ? connect() : close());

  const canWait = since !== undefined && since !== '';
  const timer = canWait ? setTimeout(follow, afterFirstCells) : undefined;
  if (!canWait) follow();
  document.addEventListener('visibilitychange', follow);
  // A page that is left says so itself: the worker lives on with the other tabs.
  window.addEventListener('pagehide', close);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', follow);
    window.removeEventListener('pagehide', close);
    close();
  };
};
