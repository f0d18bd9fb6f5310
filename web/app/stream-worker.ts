// One for all tabs of the browser: holds their event streams (stream-hub.ts).
import { createStreamHub } from './stream-hub.ts';
import { servePort } from './stream-port.ts';

/** A tab says that it is there every 20 seconds; one that broke down says nothing any more. */
const silenceOfTheDead = 70_000;

const hub = createStreamHub();

addEventListener('connect', (event) =>
  servePort((event as MessageEvent).ports[0] as MessagePort, hub, silenceOfTheDead),
);
