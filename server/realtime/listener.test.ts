import { notFound } from '@rowhouse/contract/error.ts';
import { expect, test } from 'vitest';
import type { Access } from '../catalog/access.ts';
import { everything } from '../catalog/rights.ts';
import type { Listening } from '../live.ts';
import { createListener, verify } from './listener.ts';

const access = (epoch: number, expires = Number.POSITIVE_INFINITY): Access =>
  ({ epoch, principal: { userId: 'usrA', expires }, spaceId: 'spcA', rights: everything }) as Access;

const epochs = (user: number, others = 0): Map<string, number> =>
  new Map([
    ['usrA', user],
    ['usrB', others],
    ['spcB', others],
  ]);

const open = (recheck: () => Promise<Access>, key = 'k', given = access(1)) => {
  const state = { unread: 0, written: [] as string[], isCut: false, isEnded: false, closed: 0 };
  const listening: Listening = {
    access: given,
    recheck: { key: () => key, run: recheck },
    since: 0,
    lastEventId: undefined,
    outlet: {
      write: (chunk) => void state.written.push(chunk.toString()),
      backlog: () => state.unread,
      end: () => void (state.isEnded = true),
      cut: () => void (state.isCut = true),
      onClose: () => undefined,
      onDrain: () => undefined,
    },
  };
  return { state, listener: createListener(listening, () => void (state.closed += 1)) };
};

const never = (): Promise<Access> => Promise.reject(new Error('asked needlessly'));

test('a listener that leaves too much unread is cut off once, and nothing more is kept for it', () => {
  const { state, listener } = open(never);
  listener.send('one');
  state.unread = 300_000;
  listener.send('two');
  listener.send('three');
  expect(state).toMatchObject({ written: ['one'], isCut: true, closed: 1 });
  expect(listener.isClosed).toBe(true);
});

test('access is asked again once per credential when something it rests on has moved on, and anyone who lost it is ended', async () => {
  let asked = 0;
  const stays = async (): Promise<Access> => {
    asked += 1;
    return access(2);
  };
  const [one, other, gone] = [
    open(stays, 'a'),
    open(stays, 'a'),
    open(() => Promise.reject(notFound('Table', 'tblX')), 'b'),
  ];
  const listeners = [one, other, gone].map(({ listener }) => listener);
  await verify(listeners, epochs(1, 7), 0);
  expect(asked).toBe(0);
  await verify(listeners, new Map([...epochs(1), ['spcA', 1]]), 0);
  expect(asked).toBe(1);
  expect(listeners.map((listener) => listener.isClosed)).toEqual([false, false, true]);
  expect(gone.state.written).toEqual(['event: end\ndata: {"reason":"Table tblX not found"}\n\n']);
});

test('a credential that has run out is asked for even when nothing else changed', async () => {
  const { listener } = open(() => Promise.reject(notFound('x')), 'a', access(1, 1_000));
  await verify([listener], epochs(1), 999);
  expect(listener.isClosed).toBe(false);
  await verify([listener], epochs(1), 1_000);
  expect(listener.isClosed).toBe(true);
});

test('a database that is away ends nobody', async () => {
  const { listener } = open(() => Promise.reject(new Error('away')));
  await expect(verify([listener], 'unknown', 0)).rejects.toThrow('away');
  expect(listener.isClosed).toBe(false);
});
