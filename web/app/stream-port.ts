// What the worker does for one tab: its listening is held in the hub for as long as the tab says that it is there.
import type { StreamHub, StreamMessage } from './stream-hub.ts';

export type FromTab =
  | { kind: 'listen'; id: number; url: string; since?: string | undefined }
  | { kind: 'stop'; id: number }
  | { kind: 'alive' };
/** `lost`: nothing more is told, unless the tab listens again. */
export type ToTab = (StreamMessage | { kind: 'lost' }) & { id: number };

type Port = Pick<MessagePort, 'postMessage' | 'onmessage'>;

/** `patience`: milliseconds without a word after which a tab counts as gone. */
export const servePort = (port: Port, hub: StreamHub, patience: number): void => {
  const stops = new Map<number, () => void>();
  const say = (message: ToTab): void => port.postMessage(message);
  // One that was only asleep, with the machine or in the background, hears of it when it wakes.
  const leave = (): void => {
    for (const [id, stop] of stops) {
      stop();
      say({ kind: 'lost', id });
    }
    stops.clear();
  };
  let silence = setTimeout(leave, patience);
  port.onmessage = ({ data }: MessageEvent<FromTab>) => {
    clearTimeout(silence);
    silence = setTimeout(leave, patience);
    if (data.kind === 'listen')
      stops.set(
        data.id,
        hub.listen(data.url, (message) => say({ ...message, id: data.id }), data.since),
      );
    if (data.kind !== 'stop') return;
    stops.get(data.id)?.();
    stops.delete(data.id);
  };
};
