import { ClipboardList } from 'lucide-react';
import type { ViewTypeEntry } from '../view-type.ts';
import { FormView } from './form-view.tsx';

export const form: ViewTypeEntry = {
  label: 'Form',
  meaning: 'Collects new records',
  icon: ClipboardList,
  begin: () => ({}),
  View: FormView,
  tools: [],
  search: undefined,
  addsRecords: false,
  downloads: [],
  print: () => window.print(),
};
