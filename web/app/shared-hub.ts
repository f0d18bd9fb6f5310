// The hub that the tabs of a browser share, in a worker; where there is none, this tab has one of its own.
import { createStreamHub, type StreamHub, type StreamMessage, type Tell } from './stream-hub.ts';
import type { FromTab, ToTab } from './stream-port.ts';

const aliveEvery = 20_000;

const hubInWorker = (): StreamHub => {
  const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), {
    type: 'module',
    name: 'rowhouse streams',
  });
  const listening = new Map<number, { url: string; tell: Tell; stop?: () => void }>();
  let own: StreamHub | undefined;
  let lastId = 0;
  const say = (message: FromTab): void => worker.port.postMessage(message);

  worker.port.onmessage = ({ data: { id, ...message } }: MessageEvent<ToTab>) => {
    const listener = listening.get(id);
    if (message.kind !== 'lost') listener?.tell(message as StreamMessage);
    else if (listener !== undefined) {
      say({ kind: 'listen', id, url: listener.url });
      listener.tell({ kind: 'gap' });
    }
  };
  setInterval(() => listening.size > 0 && say({ kind: 'alive' }), aliveEvery);
  worker.onerror = () => {
    if (own !== undefined) return;
    own = createStreamHub();
    for (const listener of listening.values()) {
      listener.stop = own.listen(listener.url, listener.tell);
      listener.tell({ kind: 'gap' });
    }
  };

  return {
    listen(url, tell, since) {
      if (own !== undefined) return own.listen(url, tell, since);
      lastId += 1;
      const id = lastId;
      listening.set(id, { url, tell });
      say({ kind: 'listen', id, url, since });
      return () => {
        listening.get(id)?.stop?.();
        listening.delete(id);
        say({ kind: 'stop', id });
      };
    },
  };
};

let hub: StreamHub | undefined;

export const sharedHub = (): StreamHub =>
  (hub ??= typeof SharedWorker === 'undefined' ? createStreamHub() : hubInWorker());
