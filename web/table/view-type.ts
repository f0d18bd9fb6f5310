import type { ViewType } from '@rowhouse/contract/view.ts';
import { CalendarDays, Columns3, LayoutGrid, type LucideIcon, SquarePen, Table2 } from 'lucide-react';

export interface ViewTypeInfo {
  label: string;
  icon: LucideIcon;
  /** Whether the app can show it as what it is; others are shown as a grid. */
  offered: boolean;
}

export const viewTypeInfos: Record<ViewType, ViewTypeInfo> = {
  grid: { label: 'Grid', icon: Table2, offered: true },
  kanban: { label: 'Kanban', icon: Columns3, offered: true },
  gallery: { label: 'Gallery', icon: LayoutGrid, offered: false },
  calendar: { label: 'Calendar', icon: CalendarDays, offered: false },
  form: { label: 'Form', icon: SquarePen, offered: true },
};
