// Clients that cost a server something if it lets them: heads and bodies that come by the byte, answers that nobody
// takes, connections on which nothing is said.
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOf, dial } from './caller.ts';

interface SlowCrowd {
  /** How many there are. */
  count: number;
  /** Waits until the server has cut off all but the deaf; answers how many it has not, after so many seconds. */
  cutOff(seconds: number): Promise<number>;
  leave(): Promise<void>;
}

interface Slow {
  origin: string;
  token: string;
  /** Of each kind but the deaf. */
  count: number;
  deaf: number;
  /** A request with an answer that is larger than the buffers on the way. */
  large: string;
}

export const comeSlowly = async ({ origin, token, count, deaf: deafCount, large }: Slow): Promise<SlowCrowd> => {
  const open = (length: number): Promise<Socket[]> => Promise.all(Array.from({ length }, () => dial(origin)));
  const [heads, bodies, silent] = [await open(count), await open(count), await open(count)];
  for (const socket of heads) socket.write('GET /api/auth/user HTTP/1.1\r\nhost: rowhouse\r\nx-slow: ');
  for (const socket of bodies)
    socket.write(
      'POST /api/auth/signin HTTP/1.1\r\nhost: rowhouse\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{"email":"',
    );
  const deaf: Socket[] = [];
  // One after the other: all at once would be load, and no slowness.
  const beDeaf = async (): Promise<void> => {
    for (let at = 0; at < deafCount && !isOver; at += 1) {
      const socket = await dial(origin);
      socket.pause();
      deaf.push(socket);
      socket.write(bytesOf({ method: 'GET', path: large }, token));
      await sleep(100);
    }
  };
  let isOver = false;
  const coming = beDeaf();
  const drip = setInterval(() => {
    for (const socket of [...heads, ...bodies]) if (!socket.destroyed) socket.write('a');
  }, 500);
  const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;
  // Anyone who is deaf does not hear that it was cut off either.
  const hearing = [...heads, ...bodies, ...silent];
  for (const socket of hearing) socket.resume();
  return {
    count: hearing.length + deafCount,
    async cutOff(seconds) {
      await coming;
      for (const deadline = Date.now() + seconds * 1_000; Date.now() < deadline; await sleep(100)) {
        if (!hearing.some(isOpen)) return 0;
      }
      return hearing.filter(isOpen).length;
    },
    async leave() {
      clearInterval(drip);
      isOver = true;
      await coming;
      for (const socket of [...hearing, ...deaf]) socket.destroy();
    },
  };
};
