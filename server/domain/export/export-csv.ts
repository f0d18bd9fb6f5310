// GET /export/:tableId
import { shapeOf, type ViewType, viewTypes } from '@rowhouse/contract/view-types.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import type { exportCsv as endpoint } from '@rowhouse/contract/export.ts';
import { randomText } from '@rowhouse/contract/id.ts';
import { demand } from '../../catalog/access.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { shownIn, type Sight, sightKey } from '../../catalog/sight.ts';
import type { ViewSchema } from '../../catalog/table.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Db, Held } from '../../db/db.ts';
import { csvLine } from '../../endpoint/csv-line.ts';
import { StreamAnswer } from '../../endpoint/route.ts';
import type { Recheck } from '../../live.ts';
import type { Files } from '../../stored-files.ts';
import { parseInSlices } from '../../work/parse-slices.ts';
import { createPause } from '../../work/slices.ts';
import { urlFor } from '../file/person-address.ts';
import { showFiles } from '../file/show-files.ts';
import { guardOf, selectFacts, type Standing } from '../../pipeline/guard.sql.ts';
import { guardedRead, type TableContext } from '../../pipeline/pipeline.ts';
import { headerRow, workbook } from './workbook.ts';
import { columnsOf } from '../query/resolve-query.ts';
import {
  calendarEnd,
  type CalendarFields,
  calendarFieldsOf,
  type CalendarFile,
  calendarHead,
  type CalendarRecord,
  eventOf,
  workingTimeOf,
} from './calendar.ts';
import { timeZoneOf } from './calendar.sql.ts';
import { queryFor } from '../record/read/list-records.ts';
import { type ExportFormat, makeParts, partLength, selectPart } from './export.sql.ts';

/** Milliseconds that a download may take: its connection is missed by others. */
const longest = 900_000;

/** Without it Excel reads UTF-8 as something else. */
const byteOrderMark = '\uFEFF';

const fileName = (sight: Sight, view: ViewSchema | undefined): string =>
  encodeURIComponent(view === undefined ? sight.table.name : `${sight.table.name}_${view.name}`);

interface Opened {
  on: Held;
  context: TableContext;
  standing: Standing;
  /** Stands before the first record. */
  header: string;
  name: string;
  format: ExportFormat;
  fileMark: string;
  /** Of `ics`: records become events. */
  calendar: CalendarFile | undefined;
}

/** Files are read at addresses, which only this process can make. */
const withAddresses = (lines: string, fileMark: string, urlOf: Files['urlOf']): string =>
  lines.includes(fileMark)
    ? lines.replaceAll(
        new RegExp(`${fileMark}(table/att[0-9A-Za-z]{21}(?:\\.image)?)?`, 'g'),
        (_all, path: string | undefined) => (path === undefined ? '' : urlOf(path)),
      )
    : lines;

/** What stands between two parts, or between the header and the first one. */
const between: Record<ExportFormat, string> = { csv: '\r\n', xlsx: '', jsonl: '\n', ics: '' };

/** In slices, and never as one text: a record may hold megabytes. */
async function* events(calendar: CalendarFile, lines: string): AsyncGenerator<string> {
  const pause = createPause();
  let text = '';
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf('\n', start) < 0 ? lines.length : lines.indexOf('\n', start);
    const record = (await parseInSlices(lines.slice(start, end), pause)) as CalendarRecord;
    start = end + 1;
    for (const piece of eventOf(calendar, record)) {
      text += piece;
      if (text.length > partLength) {
        yield text;
        text = '';
      }
      await pause();
    }
  }
  yield text;
}

async function* read(
  { on, context, standing, header, format, fileMark, calendar }: Opened,
  recheck: Recheck,
): AsyncGenerator<Buffer> {
  const { access, principal } = context;
  const tableId = access.tableId as string;
  const urlOf = urlFor(context, access);
  const until = performance.now() + longest;
  try {
    let { epoch } = access;
    let before = header === '' ? '' : header + between[format];
    for (let part = '-1'; ; ) {
      const found = await selectPart(on, part, standing);
      // A table without records is its header.
      if (found === undefined) {
        const end = calendar === undefined ? '' : calendarEnd;
        if (part === '-1' || end !== '') yield Buffer.from(`${part === '-1' ? header : ''}${end}`);
        return;
      }
      if (found.epoch !== epoch) {
        const now = await recheck.run();
        if (sightKey(now.rights.of(tableId), now.principal) !== sightKey(access.rights.of(tableId), principal))
          throw forbidden('What you see of this table has changed; export it again');
        epoch = found.epoch;
      }
      if (performance.now() > until) throw new Error('a download took longer than it may');
      const lines =
        format === 'jsonl'
          ? await showFiles(context.db, context.files, access.baseId, found.lines, urlOf)
          : withAddresses(found.lines, fileMark, urlOf);
      if (calendar === undefined) yield Buffer.from(`${before}${lines}`);
      else {
        if (before !== '') yield Buffer.from(before);
        for await (const text of events(calendar, lines)) yield Buffer.from(text);
      }
      before = between[format];
      ({ part } = found);
    }
  } finally {
    on.release();
  }
}

/** The first part is asked for at once: from then on, what `parts` holds is given back whenever this ends. */
async function* asWorkbook(name: string, parts: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await parts.next();
  async function* rows(): AsyncGenerator<Buffer> {
    if (first.done !== true) yield first.value;
    yield* parts;
  }
  try {
    yield* workbook(name, rows());
  } finally {
    await parts.return(undefined);
  }
}

const headers: Record<Exclude<ExportFormat, 'ics'>, (names: readonly string[]) => string> = {
  csv: (names) => `${byteOrderMark}${csvLine(names).slice(0, -2)}`,
  xlsx: headerRow,
  jsonl: () => '',
};

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
};

const calendarFile = (
  { publicUrl, access }: TableContext,
  { table }: Sight,
  { start }: CalendarFields,
  view: ViewSchema,
): CalendarFile => ({
  name: `${table.name}: ${view.name}`,
  timeZone: timeZoneOf(start),
  works: workingTimeOf(view),
  startFieldId: start.id,
  host: new URL(publicUrl()).host,
  urlOf: (recordId) => `${publicUrl()}/base/${access.baseId}/${table.id}?record=${recordId}`,
});

const isMadeOf = (type: ViewType, format: string): boolean =>
  (shapeOf(type).exports as readonly string[]).includes(format);

const typesFor = (format: string): string => viewTypes.filter((type) => isMadeOf(type, format)).join(', ');

export const exportCsv = async (
  request: Unconfirmed,
  query: QueryOf<typeof endpoint>,
  recheck: Recheck,
): Promise<StreamAnswer> => {
  const opened = await guardedRead(request, async (context, sight) => {
    demand(context.access, 'record|read', context.access.tableId);
    if (query.viewId !== undefined) demand(context.access, 'view|read', context.access.tableId);
    const { view, visible, where, keys } = queryFor(sight, query);
    const { format = 'csv' } = query;
    if (view !== undefined && !isMadeOf(view.type, format)) {
      throw invalid({
        path: 'query.viewId',
        message: `View ${view.id} is a ${view.type} view`,
        expected: `the id of a ${typesFor(format)} view`,
      });
    }
    if (view === undefined && format === 'ics')
      throw invalid({
        path: 'query.viewId',
        message: 'A calendar file is made of a view with dates',
        expected: `the id of a ${typesFor('ics')} view`,
      });
    // A calendar file tells what the calendar shows.
    const fields = columnsOf(view, format === 'ics' && view !== undefined ? shownIn(sight, view) : visible);
    const standing = guardOf(context, sight.table);
    const dates = view === undefined || format !== 'ics' ? undefined : calendarFieldsOf(sight, view);
    const calendar = dates === undefined || view === undefined ? undefined : calendarFile(context, sight, dates, view);
    const fileMark = randomText(24);
    const on = await (context.db as Db).hold();
    try {
      await makeParts(on, sight, { fields, where, keys, format, fileMark, calendar: dates });
      const facts = await selectFacts(on, sight.table, standing);
      return {
        facts,
        value: {
          on,
          context,
          standing,
          header:
            calendar === undefined
              ? headers[format as Exclude<ExportFormat, 'ics'>](fields.map((field) => field.name))
              : calendarHead(calendar),
          name: fileName(sight, view),
          format,
          fileMark,
          calendar,
        },
        discard: async () => on.release(),
      };
    } catch (error) {
      on.release();
      throw error;
    }
  });
  const { on, context, name, format } = opened;
  const { baseId, tableId } = context.access;
  await writeAudit(on, doerOf(context), 'table.exported', { baseIds: [baseId] }, { baseId, tableId, ...query }).catch(
    (error: unknown) => {
      on.release();
      throw error;
    },
  );
  const parts = read(opened, recheck);
  return new StreamAnswer(format === 'xlsx' ? asWorkbook(decodeURIComponent(name), parts) : parts, {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename=${name}.${format}`,
  });
};
