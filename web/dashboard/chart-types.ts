// The types of charts there are, as people choose them.
import type { ChartType } from '@rowhouse/contract/chart.ts';
import {
  ChartArea,
  ChartBarStacked,
  ChartColumn,
  ChartLine,
  ChartPie,
  ChartScatter,
  Grid3x3,
  Hash,
  List,
  type LucideIcon,
  Sigma,
  Type,
} from 'lucide-react';

interface ChartTypeWords {
  label: string;
  meaning: string;
  icon: LucideIcon;
  /** On the grid, when it is new. */
  size: { w: number; h: number };
}

const picture = { w: 6, h: 7 };

export const chartTypeWords: Record<ChartType, ChartTypeWords> = {
  bar: { label: 'Bar', meaning: 'Compare groups', icon: ChartColumn, size: picture },
  stackedBar: {
    label: 'Stacked bar',
    meaning: 'Groups and what they are made of',
    icon: ChartBarStacked,
    size: picture,
  },
  line: { label: 'Line', meaning: 'Change over time', icon: ChartLine, size: picture },
  area: { label: 'Area', meaning: 'Volume over time', icon: ChartArea, size: picture },
  pie: { label: 'Pie', meaning: 'Parts of a whole', icon: ChartPie, size: { w: 4, h: 7 } },
  number: { label: 'Number', meaning: 'One figure and its trend', icon: Hash, size: { w: 3, h: 4 } },
  scatter: { label: 'Scatter', meaning: 'Two numbers against each other', icon: ChartScatter, size: picture },
  heatMap: { label: 'Heat map', meaning: 'Two groups, by colour', icon: Grid3x3, size: picture },
  pivot: { label: 'Pivot table', meaning: 'Rows by columns, with totals', icon: Sigma, size: picture },
  records: { label: 'Records', meaning: 'A short list', icon: List, size: picture },
  text: { label: 'Text', meaning: 'Notes and headings', icon: Type, size: { w: 4, h: 3 } },
};

export const offeredTypes = Object.keys(chartTypeWords) as ChartType[];
