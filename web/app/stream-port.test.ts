import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StreamHub, Tell } from './stream-hub.ts';
import { type FromTab, servePort, type ToTab } from './stream-port.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const told: ToTab[] = [];
  const listening = new Map<string, Tell>();
  const hub: StreamHub = {
    listen(url, tell) {
      listening.set(url, tell);
      return () => void listening.delete(url);
    },
  };
  const port: Parameters<typeof servePort>[0] = {
    postMessage: (message: ToTab) => void told.push(message),
    onmessage: null,
  };
  servePort(port, hub, 1_000);
  const say = (data: FromTab): void => void port.onmessage?.call(port as MessagePort, { data } as MessageEvent);
  return { told, listening, say };
};

test('a tab that says it is there goes on hearing', () => {
  const { told, listening, say } = open();
  say({ kind: 'listen', id: 1, url: '/a' });
  for (let times = 0; times < 5; times += 1) {
    vi.advanceTimersByTime(900);
    say({ kind: 'alive' });
  }
  listening.get('/a')?.({ kind: 'gap' });
  expect(told).toEqual([{ kind: 'gap', id: 1 }]);
});

test('a tab that was silent for too long is told what it lost, and can listen again', () => {
  const { told, listening, say } = open();
  say({ kind: 'listen', id: 1, url: '/a' });
  say({ kind: 'listen', id: 2, url: '/b' });
  say({ kind: 'stop', id: 2 });
  vi.advanceTimersByTime(1_001);
  expect([told, [...listening.keys()]]).toEqual([[{ kind: 'lost', id: 1 }], []]);
  say({ kind: 'listen', id: 1, url: '/a' });
  expect([...listening.keys()]).toEqual(['/a']);
});
