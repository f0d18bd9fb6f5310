// How much memory of the server one large request takes, as a multiple of its body.
import { cellsOf, twentyFields } from '../cells.ts';
import { median } from '../figures.ts';
import { newGround } from '../ground.ts';
import { forgetPeak, memoryOf, peakMemoryOf } from '../process/usage.ts';
import type { Figures } from './scenario.ts';

const records = 20_000;

export const memory: Figures = {
  name: 'memory',
  title: 'one request of 20,000 × 20',
  async figures(stage, effort) {
    const { ours, person } = await newGround(stage, twentyFields);
    const bodyOf = (count: number): string =>
      JSON.stringify({
        records: Array.from({ length: count }, (_, row) => ({ fields: cellsOf(ours.fields, row, 0, person) })),
      });
    const large = bodyOf(records);
    const growths: number[] = [];
    const seconds: number[] = [];
    let answer = 0;
    for (let round = 0; round < effort.rounds; round += 1) {
      // A fresh process each time: memory that an earlier request has left behind would hide growth.
      const server = await stage.startServer();
      const send = async (body: string): Promise<number> => {
        const response = await fetch(`${server.origin}/api/table/${ours.tableId}/record`, {
          method: 'POST',
          headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
          body,
        });
        const { byteLength } = await response.arrayBuffer();
        if (response.status !== 201)
          throw new Error(`the large request was answered ${response.status}, ${byteLength} bytes`);
        return byteLength;
      };
      for (let request = 0; request < 20; request += 1) await send(bodyOf(10));
      forgetPeak(server.pid);
      const before = memoryOf(server.pid);
      const begun = performance.now();
      answer = await send(large);
      seconds.push((performance.now() - begun) / 1_000);
      growths.push(peakMemoryOf(server.pid) - before);
      await server.stop();
    }
    const bytes = Buffer.byteLength(large);
    return [
      { name: 'body', value: bytes / 2 ** 20, unit: 'MiB' },
      { name: 'answer', value: answer / 2 ** 20, unit: 'MiB' },
      { name: 'growth of the server', value: median(growths) / 2 ** 20, unit: 'MiB' },
      { name: 'growth ÷ body', value: median(growths) / bytes, unit: '×', goal: { must: 10 } },
      { name: 'time', value: median(seconds), unit: 's' },
    ];
  },
};
