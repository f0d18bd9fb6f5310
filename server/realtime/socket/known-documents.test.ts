import { expect, test } from 'vitest';
import { createKnownDocuments, type Operation } from './known-documents.ts';

const documentOf = (name: string) => ({ id: 'rec1', data: { id: 'rec1', name, fields: {} } });

test('a client that says late where it was hears of what happens after all the same', () => {
  const published: Operation[] = [];
  const known = createKnownDocuments(
    (operation) => published.push(operation),
    () => 1,
  );
  const take = (): Operation[] => published.splice(0);
  // It comes back, by a query and by the document itself: the second request is read when the answer to the first has arrived.
  known.claim('rec', 'rec1', 5);
  known.note('rec', 'rec1', documentOf('B'));
  expect(take()).toMatchObject([{ v: 5, op: [{ p: [], oi: { name: 'B' } }] }]);
  known.claim('rec', 'rec1', 5);
  known.note('rec', 'rec1', documentOf('BB'));
  // It has version 6 by now: an operation on 5 would be an old one to it, and what it says lost.
  expect(take()).toMatchObject([{ v: 6, op: [{ p: [], oi: { name: 'BB' } }] }]);
  // One that has not got the first asks for what it lacks, and both go on from there.
  expect(known.catchUp('rec', 'rec1', 5, documentOf('BB'))).toMatchObject([{ v: 5 }]);
  known.note('rec', 'rec1', documentOf('BBB'));
  expect(take()).toMatchObject([{ v: 6 }]);
});

test('a document that is gone stays gone, whatever a client says about it', () => {
  const published: Operation[] = [];
  const known = createKnownDocuments(
    (operation) => published.push(operation),
    () => 1,
  );
  known.claim('rec', 'rec1', 5);
  known.note('rec', 'rec1', undefined);
  known.claim('rec', 'rec1', 5);
  known.note('rec', 'rec1', undefined);
  expect(published).toMatchObject([{ v: 5, del: true }]);
  known.note('rec', 'rec1', documentOf('A'));
  expect(published.at(-1)).toMatchObject({ v: 6, create: { data: { name: 'A' } } });
});
