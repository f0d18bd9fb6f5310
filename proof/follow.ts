// A listener that always comes back: whatever happens to the server, it goes on behind the last event that it heard.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ear, type Heard, listen } from '../test/support/listen.ts';

export interface StreamReader {
  /** Everything but `ready`. */
  heard: Heard[];
  /** How often it came and was told where in the feed it is: before that, what happens is not meant for it. */
  comings: number;
  stop(): Promise<void>;
}

/** `restless`: milliseconds after which it leaves, each time, to come back; once it knows where it was. */
export const follow = (urlOf: () => string, token: string, restless?: number): StreamReader => {
  const heard: Heard[] = [];
  const follower = { heard, comings: 0, stop };
  let ear: Ear | undefined;
  let isOver = false;
  let lastEventId: number | undefined;

  const come = async (): Promise<void> => {
    const coming = await listen(urlOf(), { token, lastEventId });
    ear = coming;
    if (isOver) coming.close();
    let taken = 0;
    let leaving: NodeJS.Timeout | undefined;
    const take = (): void => {
      for (; taken < coming.heard.length; taken += 1) {
        const event = coming.heard[taken] as Heard;
        lastEventId = event.id ?? lastEventId;
        if (taken === 0) {
          follower.comings += 1;
          if (restless !== undefined) leaving = setTimeout(() => coming.close(), restless);
        }
        if (event.name !== 'ready') heard.push(event);
      }
    };
    const timer = setInterval(take, 10);
    await coming.ended.catch(() => undefined);
    clearInterval(timer);
    clearTimeout(leaving);
    take();
  };

  const coming = (async () => {
    while (!isOver) {
      await come().catch(() => undefined);
      if (!isOver) await sleep(50);
    }
  })();

  function stop(): Promise<void> {
    isOver = true;
    ear?.close();
    return coming;
  }
  return follower;
};
