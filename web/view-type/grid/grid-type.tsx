import { Grid3x3 } from 'lucide-react';
import type { ToolProps, ViewProps, ViewTypeEntry } from '../view-type.ts';
import { GridView } from './grid-view.tsx';
import { GroupPopover } from './group/group-popover.tsx';
import { requestPrint } from './print/print-request.ts';
import { PrintTable } from './print/print-table.tsx';
import { RowHeightMenu } from './row-height-menu.tsx';

/** A canvas cannot be printed: what is printed is a table of the records. */
const PrintableGrid = (props: ViewProps) => (
  <>
    <GridView {...props} />
    <PrintTable tableId={props.tableId} view={props.view} fields={props.fields} window={props.records.window} />
  </>
);

const RowHeight = ({ tableId, view, disabled }: ToolProps) => (
  <RowHeightMenu tableId={tableId} view={view} disabled={disabled} />
);

export const grid: ViewTypeEntry = {
  label: 'Grid',
  meaning: 'Rows and columns, like a spreadsheet',
  icon: Grid3x3,
  begin: () => ({}),
  View: PrintableGrid,
  tools: ['fields', 'filter', 'sort', 'colors'],
  between: GroupPopover,
  behind: RowHeight,
  search: 'places',
  addsRecords: true,
  downloads: ['csv', 'xlsx'],
  print: requestPrint,
};
