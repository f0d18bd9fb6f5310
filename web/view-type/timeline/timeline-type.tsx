// Records as bars along time, in lanes.
import { ChartNoAxesGantt } from 'lucide-react';
import { BarSettings } from '../bars/bar-settings.tsx';
import { BarView } from '../bars/bar-view.tsx';
import { beginBars } from '../bars/begin-bars.ts';
import type { ViewProps, ViewTypeEntry } from '../view-type.ts';

const TimelineView = (props: ViewProps) => <BarView {...props} isRowEach={false} />;

export const timeline: ViewTypeEntry = {
  label: 'Timeline',
  meaning: 'Bars along time, in lanes',
  icon: ChartNoAxesGantt,
  begin: beginBars,
  View: TimelineView,
  tools: ['filter', 'colors'],
  before: BarSettings,
  search: 'cards',
  addsRecords: true,
  downloads: ['ics'],
  print: () => window.print(),
};
