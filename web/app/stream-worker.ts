// One for all tabs of the browser: holds their event streams (stream-hub.ts).
import { createStreamHub, type StreamMessage } from './stream-hub.ts';

export type FromTab = { kind: 'listen'; id: number; url: string; since?: string | undefined } | { kind: 'stop'; id: number } | { kind: 'alive' };
export type ToTab = StreamMessage & { id: number };

/** A tab says that it is there every 20 seconds; one that broke down says nothing any more. */
const silenceOfTheDead = 70_000;

const hub = createStreamHub();

const serve = (port: MessagePort): void => {
  const stops = new Map<number, () => void>();
  const leave = (): void => {
    for (const stop of stops.values()) stop();
    stops.clear();
  };
  let dead = setTimeout(leave, silenceOfTheDead);
  port.onmessage = ({ data }: MessageEvent<FromTab>) => {
    clearTimeout(dead);
    dead = setTimeout(leave, silenceOfTheDead);
    if (data.kind === 'listen') stops.set(data.id, hub.listen(data.url, (message) => port.postMessage({ ...message, id: data.id } satisfies ToTab), data.since));
    if (data.kind !== 'stop') return;
    stops.get(data.id)?.();
    stops.delete(data.id);
  };
};

addEventListener('connect', (event) => serve((event as MessageEvent).ports[0] as MessagePort));
