// Server-Sent Events while someone looks. A browser opens only six connections to one server, so tabs in the
// background give theirs back; who returns is told to read everything again.
import type { EventData } from '@rowhouse/contract/event.ts';
import { setPresent } from '../presence/present.ts';

export interface StreamOptions {
  on: Record<string, (data: unknown) => void>;
  /** Something may have been missed. */
  onGap: () => void;
}

const tryAgainAfter = 4_000;

export const openStream = (url: string, { on, onGap }: StreamOptions): (() => void) => {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;
  let presentIn: string | undefined;

  const close = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    if (presentIn !== undefined) setPresent(presentIn, []);
    presentIn = undefined;
  };
  const connect = (): void => {
    close();
    const stream = new EventSource(url);
    source = stream;
    if (wasOpen) onGap();
    wasOpen = true;
    for (const [name, handle] of Object.entries(on)) stream.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data === '' ? '{}' : (event as MessageEvent<string>).data)));
    // Whoever opened the stream of a table with `presence` need not pass on who else is there.
    stream.addEventListener('presence.changed', (event) => {
      const { tableId, users } = JSON.parse((event as MessageEvent<string>).data) as EventData<'presence.changed'>;
      presentIn = tableId;
      setPresent(tableId, users);
    });
    stream.addEventListener('reload', onGap);
    stream.addEventListener('end', close);
    // The browser tries again by itself after a cut, but not after a refusal.
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED && source === stream) timer = setTimeout(connect, tryAgainAfter);
    });
  };
  const follow = (): void => (document.visibilityState === 'visible' ? connect() : close());

  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    close();
  };
};
