// What reading and checking a body costs beside JSON.parse of it, in CPU time: for records as people send them, for one
// long text, and for what is wrong at its very end. `npx tsx bench/bodies.ts`
import { createRecords } from '@rowhouse/contract/record.ts';
import { validator } from '../server/endpoint/validate.ts';
import { limitsFor, parseJson } from '../server/http/json-body.ts';
import { createJsonScan } from '../server/work/json-scan.ts';

const pieceLength = 65_536;
const limits = limitsFor({ bodyLimit: 52_428_800, recordsPerRequest: 20_000 });
const validate = validator(createRecords.body);

const recordsOf = (count: number, cells: number): string => {
  const record = (at: number): string =>
    `{"fields":{${Array.from({ length: cells }, (_, cell) => `"Field ${cell}":"value ${at * cell}"`).join()}}}`;
  return `{"records":[${Array.from({ length: count }, (_, at) => record(at)).join()}]}`;
};

const bodies: Record<string, string> = {
  '20,000 records of 100 cells': recordsOf(20_000, 100),
  '20,000 records of 5 cells': recordsOf(20_000, 5),
  'one text of 50 MB': `{"records":[{"fields":{"Text":"${'x'.repeat(50_000_000)}"}}]}`,
  'one text of 25 million quotes': `{"records":[{"fields":{"Text":"${'\\"'.repeat(25_000_000)}"}}]}`,
  '2 million numbers': `{"records":[{"fields":{"Number":[${'1,'.repeat(2_000_000)}1]}}]}`,
  '20,000 records, and a comma that is missing': recordsOf(20_000, 100).replace(/.$/, ' {}'),
  '20,000 records, and a word that is no word': recordsOf(20_000, 100).replace(/..$/, ',nothing]}'),
  '100,000 records that are numbers': `{"records":[${'1,'.repeat(100_000)}1]}`,
  '10,000 levels': `{"records":${'['.repeat(10_000)}`,
  '17 million objects': `{"records":[${'{},'.repeat(17_000_000)}{}]}`,
};

const cpuOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  try {
    work();
  } catch {
    // Wrong ones cost, too.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const readAndCheck = (bytes: Buffer): void => {
  const scan = createJsonScan(limits);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    const piece = bytes.subarray(at, at + pieceLength);
    if (scan(piece) !== undefined) return;
    pieces.push(piece);
  }
  validate(parseJson(Buffer.concat(pieces)), '');
};

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] as number;

console.log('| body | MB | `JSON.parse` of its text, ms | reading and checking, ms | ratio |\n|---|---|---|---|---|');
for (const [name, text] of Object.entries(bodies)) {
  const bytes = Buffer.from(text);
  const rounds = name.startsWith('17') ? 1 : 7;
  const [parsing, reading]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    parsing.push(cpuOf(() => JSON.parse(bytes.toString())));
    reading.push(cpuOf(() => readAndCheck(bytes)));
  }
  const [parse, read] = [median(parsing), median(reading)];
  console.log(
    `| ${name} | ${(bytes.length / 1e6).toFixed(1)} | ${parse.toFixed(0)} | ${read.toFixed(0)} | ${(read / parse).toFixed(2)} |`,
  );
}
