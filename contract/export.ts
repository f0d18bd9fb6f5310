// Tables as files.
import { Type } from 'typebox';
import { endpoint, stream } from './endpoint.ts';

export const exportCsv = endpoint({
  name: 'exportCsv',
  method: 'GET',
  path: '/export/:tableId',
  summary:
    'The records of a table or a grid view as CSV, XLSX or JSON lines, of a calendar, timeline or Gantt view as ICS',
  description:
    'Needs `record|read` too. All records as they were at one moment. With a view: those that it shows, in its order, with its columns in their order. UTF-8 with a byte order mark, lines end with CR LF, the first holds the names of the fields. Cells are the text that a person sees; text that a spreadsheet would take for a formula begins with an apostrophe. With `format=xlsx` a workbook: numbers, dates and checkboxes as such, everything else as text, which is never a formula. With `format=jsonl` a line of JSON for each record, with the cells as the API shows them, by the names of the fields. With `format=ics` and a calendar, timeline or Gantt view, an event for each record that has a date: whole days if its field shows no time, else times in UTC. A download that fails midway ends with a cut connection, never as if it were whole.',
  tag: 'export',
  access: { on: 'table', action: 'table|export' },
  params: Type.Object({ tableId: Type.String({ maxLength: 100, description: 'Id of the table.' }) }),
  query: Type.Object({
    format: Type.Optional(Type.Enum(['csv', 'xlsx', 'jsonl', 'ics'], { description: '`csv` when absent.' })),
    viewId: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Id of a grid view of the table, or of a calendar, timeline or Gantt view for `ics`, which cannot do without; needs `view|read` as well.',
      }),
    ),
  }),
  status: 200,
  response: stream('text/csv; charset=utf-8'),
});
