// Frames of a failed test that lie in the bundle of the server are shown where their sources are. Its map is read when the first test fails.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';

interface Frame {
  file: string;
  line: number;
  column: number;
}

const maps = new Map<string, SourceMap>();

const mapOf = (bundle: string): SourceMap => {
  const known =
    maps.get(bundle) ??
    new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0]);
  maps.set(bundle, known);
  return known;
};

/** For Vitest, which hands every frame over before it is shown. */
export const inSources = (_error: unknown, frame: Frame): void => {
  if (!/\/server\/dist\/server-[\w-]+\.cjs$/.test(frame.file)) return;
  const place = mapOf(frame.file).findEntry(frame.line - 1, frame.column - 1);
  if (!('originalSource' in place)) return;
  Object.assign(frame, {
    file: join(frame.file, '..', place.originalSource),
    line: place.originalLine + 1,
    column: place.originalColumn + 1,
  });
};
