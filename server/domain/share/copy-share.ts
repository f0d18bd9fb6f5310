// GET /share/:shareId/view/copy
import type { IncomingHttpHeaders } from 'node:http';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import type { copyShare as endpoint } from '@rowhouse/contract/share.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import type { PublicContext } from '../../context.ts';
import type { Answer } from '../../endpoint/route.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { parseInSlices } from '../../work/parse-slices.ts';
import { createPause } from '../../work/slices.ts';
import { readJson } from '../query/reference.ts';
import { answerLimit } from '../record/read/json.sql.ts';
import { queryFor } from '../record/read/list-records.ts';
import { selectPage } from '../record/read/read.sql.ts';
import { openShare, shareAnswer } from './open-share.ts';
import { throughView } from './read-share.ts';
import { publicField } from './share-sight.ts';

const mostCells = 50_000;

type Span = readonly [from: number, to: number];

const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((part) => Number.isSafeInteger(part) && (part as number) >= 0);
const span = (one: number, other: number): Span => [Math.min(one, other), Math.max(one, other)];

/** Null for all. */
const readRanges = ({ ranges, type }: QueryOf<typeof endpoint>): { rows: Span[] | null; columns: Span[] | null } => {
  const given = readJson(ranges, 'query.ranges');
  const isRight =
    Array.isArray(given) &&
    given.length > 0 &&
    given.length <= 1_000 &&
    given.every(isPair) &&
    (type !== undefined || given.length === 2);
  if (!isRight)
    throw invalid({
      path: 'query.ranges',
      message: 'Expected a list of pairs of whole numbers from 0',
      expected: type === undefined ? 'the two corners, [[column, row], [column, row]]' : 'a list of [from, to]',
    });
  const pairs = given as [number, number][];
  const spans = pairs.map(([from, to]) => span(from, to));
  if (type === 'columns') return { rows: null, columns: spans };
  if (type === 'rows') return { rows: spans, columns: null };
  const [[left, top], [right, bottom]] = pairs as [[number, number], [number, number]];
  return { rows: [span(top, bottom)], columns: [span(left, right)] };
};

export const inViewOrder = (fields: readonly FieldSchema[], { columnMeta }: ViewSchema): FieldSchema[] =>
  fields.toSorted(
    (one, other) =>
      Number(columnMeta[one.id]?.order ?? Infinity) - Number(columnMeta[other.id]?.order ?? Infinity) ||
      one.position - other.position,
  );

const cellText = (text: string): string => (/[\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const tooMuch = (): Error =>
  invalid({
    path: 'query.ranges',
    message: `Exceed max copy cells ${mostCells}`,
    expected: `at most ${mostCells} cells`,
  });

export const copyShare = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  query: QueryOf<typeof endpoint>,
): Promise<Answer> => {
  const open = await openShare(services, shareId, headers);
  const {
    meta,
    share: { viewId },
    context,
  } = open;
  if (meta.allowCopy !== true) throw forbidden('This share does not allow copying');
  const ranges = readRanges(query);
  const { ranges: _ranges, type: _type, ...asked } = query;
  const copied = await guardedRead({ unconfirmed: context }, async (present, sight) => {
    const resolved = queryFor(sight, throughView(asked, viewId));
    const all = inViewOrder(resolved.visible, resolved.view as ViewSchema);
    const fields =
      ranges.columns === null
        ? all
        : all.filter((_field, at) => ranges.columns?.some(([from, to]) => at >= from && at <= to));
    const lines: string[] = [];
    let characters = 0;
    for (const [from, to] of fields.length === 0 ? [] : (ranges.rows ?? [[0, Infinity] as Span])) {
      const room = Math.floor(mostCells / fields.length) - lines.length;
      const take = Math.min(to - from + 1, room + 1);
      const page = await selectPage(
        present.db,
        sight,
        { fields, keyType: 'id', format: 'text' },
        {
          take,
          skip: from,
          where: resolved.where,
          keys: resolved.keys,
          after: null,
          search: null,
          plain: null,
          prepare: 'never',
        },
      );
      const text = `[${page.records ?? ''}]`;
      // Each range is measured by itself, and the same may be named many times.
      characters += text.length;
      if (characters > answerLimit.bytes) throw tooMuch();
      const records = (await parseInSlices(text, createPause())) as { fields: Record<string, string | undefined> }[];
      if (records.length > room) throw tooMuch();
      lines.push(...records.map((record) => fields.map(({ id }) => cellText(record.fields[id] ?? '')).join('\t')));
    }
    return seen(present, sight, { content: lines.join('\n'), header: fields.map(publicField) });
  });
  return shareAnswer(open, JSON.stringify(copied));
};
