// The requests of a scenario, in a file that every process reads: one request a line. Clients draw the lines
// in order and begin again at the end.
import { readFileSync, writeFileSync } from 'node:fs';

export interface ScriptLine {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: Record<string, unknown>;
}

/** Which requests to do: `count` of them, from place `start` of the endless script. */
export interface Stint {
  start: number;
  count: number;
}

export interface Done {
  milliseconds: number;
  latencies: number[];
}

export const writeScript = (file: string, lines: readonly ScriptLine[]): void =>
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));

export const readScript = (file: string): ScriptLine[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as ScriptLine);

/** Each client does one request after the other; together they do all of the stint. */
export const doStint = async (
  clients: number,
  { start, count }: Stint,
  request: (client: number, place: number) => Promise<void>,
): Promise<Done> => {
  const latencies: number[] = [];
  const end = start + count;
  let next = start;
  const client = async (number: number): Promise<void> => {
    while (next < end) {
      const place = next;
      next += 1;
      const begun = performance.now();
      await request(number, place);
      latencies.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { milliseconds: performance.now() - begun, latencies };
};
