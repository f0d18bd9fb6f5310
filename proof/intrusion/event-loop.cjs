// Loaded into a server under measurement (`node --require`): the longest turn of its event loop, as time of a processor that its main thread
// took. Time that the thread waited for a processor is not counted, so that a busy machine is not taken for a server that stops.
const { closeSync, openSync, readSync } = require('node:fs');
const { createServer } = require('node:net');
const { isMainThread } = require('node:worker_threads');

const pause = 5;

if (isMainThread && process.env.PROOF_EVENT_LOOP !== undefined) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(100);
  // "<ns on a processor> <ns of waiting for one> <turns>"
  const taken = () => Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, 100, 0)), 10) / 1e6;
  let [last, longest] = [taken(), 0];
  setInterval(() => {
    const now = taken();
    longest = Math.max(longest, now - last);
    last = now;
  }, pause).unref();
  // Each connection is told the longest turn since the last one.
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(longest));
    longest = 0;
  })
    .listen(process.env.PROOF_EVENT_LOOP)
    .unref();
  process.on('exit', () => closeSync(file));
}
