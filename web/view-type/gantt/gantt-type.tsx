// Records as bars, one below the other, with what waits for what.
import { ChartGantt } from 'lucide-react';
import { BarView } from '../bars/bar-view.tsx';
import { beginBars } from '../bars/begin-bars.ts';
import type { ViewProps, ViewTypeEntry } from '../view-type.ts';
import { beginWaiting } from './begin-waiting.ts';
import { GanttSettings } from './gantt-settings.tsx';

const GanttView = (props: ViewProps) => <BarView {...props} isRowEach />;

export const gantt: ViewTypeEntry = {
  label: 'Gantt',
  meaning: 'A plan: what waits for what',
  icon: ChartGantt,
  begin: (fields) => ({ options: { ...beginBars(fields).options, ...beginWaiting(fields) } }),
  View: GanttView,
  tools: ['filter', 'sort', 'colors'],
  before: GanttSettings,
  search: 'cards',
  addsRecords: true,
  downloads: ['ics'],
  print: () => window.print(),
};
