// What a view type is to the rest of the app: one entry object, in the folder of the type. view-types.ts lists them.
import type { Field } from '@rowhouse/contract/field.ts';
import type { Standing } from '../app/standing.ts';
import type { NewView, View } from '@rowhouse/contract/view.ts';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { BasePerson } from '../record-data/queries.ts';
import type { TableRecords } from '../record-data/table-records.ts';
import type { Found } from './query/search-box.tsx';
import type { ViewQuery } from './query/use-view-query.ts';

/** What every view is given; each takes what it needs. */
export interface ViewProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  role: Standing;
  records: TableRecords;
  query: ViewQuery;
  /** What cards are searched for. */
  search: string;
  /** A cell to go to: a place that a search found. */
  place: Found | undefined;
  /** Absent: nobody may. */
  onAdd: (() => void) | undefined;
  onOpen: (recordId: string) => void;
  onOpenLinked: (tableId: string, recordId: string) => void;
  onFiles: ((recordId: string, files: File[]) => void) | undefined;
}

export interface ToolProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  query: ViewQuery;
  disabled: boolean;
}

type Tool = 'fields' | 'filter' | 'sort' | 'colors';

export interface ViewTypeEntry {
  label: string;
  meaning: string;
  icon: LucideIcon;
  /** What a new one has besides its name, so that it shows something at once. */
  begin: (fields: readonly Field[]) => Omit<NewView, 'type' | 'name'>;
  View: ComponentType<ViewProps>;
  /** Which of the tools that all views share it has. */
  tools: readonly Tool[];
  /** Tools of its own, before the shared ones, between filter and sort, and behind them. */
  before?: ComponentType<ToolProps>;
  between?: ComponentType<ToolProps>;
  behind?: ComponentType<ToolProps>;
  /** A search leads from cell to cell, or leaves out cards that do not match. */
  search: 'places' | 'cards' | undefined;
  /** Records are added by the button above the view. */
  addsRecords: boolean;
  /** Formats in which its records are downloaded. */
  downloads: readonly ('csv' | 'xlsx' | 'ics')[];
  print: () => void;
}
