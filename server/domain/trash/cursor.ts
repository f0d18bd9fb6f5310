// Where a page of the trash ends: the moment of deletion in microseconds, and the id.
import { invalid } from '@rowhouse/contract/error.ts';

export interface Position {
  micros: string;
  id: string;
}

export const writeCursor = (position: Position): string => `${position.micros}_${position.id}`;

export const readCursor = (text: string | undefined): Position | null => {
  if (text === undefined || text === '') return null;
  const parts = /^(\d{1,17})_([0-9A-Za-z]{1,50})$/.exec(text);
  if (parts === null) throw invalid({ path: 'query.cursor', message: 'Expected the nextCursor of an earlier answer' });
  return { micros: parts[1] as string, id: parts[2] as string };
};
