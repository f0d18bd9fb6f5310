// What automations are made of, in words for people who do not program.
import type { AutomationSummary, Run } from '@rowhouse/contract/automation.ts';
import type { StepType, TriggerType } from '@rowhouse/contract/automation-definition.ts';
import {
  Bell,
  CalendarClock,
  CalendarDays,
  FilePen,
  FilePlus,
  FileText,
  Globe,
  Hourglass,
  ListChecks,
  LogIn,
  type LucideIcon,
  Mail,
  MessageSquare,
  MousePointerClick,
  Repeat,
  Search,
  Split,
  Trash2,
  Webhook,
} from 'lucide-react';
import type { Tone } from '../ui/mark.tsx';

interface Words {
  label: string;
  note: string;
  icon: LucideIcon;
}

export const triggerWords: Record<TriggerType, Words> = {
  recordCreated: { label: 'A record is created', note: 'By anyone, also by imports and forms', icon: FilePlus },
  recordUpdated: { label: 'A record is changed', note: 'Any of its fields, or those you choose', icon: FilePen },
  recordMatches: { label: 'A record begins to meet a condition', note: 'It did not meet it before', icon: ListChecks },
  viewEntered: { label: 'A record enters a view', note: 'It now meets the filter of the view', icon: LogIn },
  formSubmitted: { label: 'A form is sent', note: 'Someone filled in a form of this base', icon: FileText },
  commentAdded: { label: 'A comment is written', note: 'On a record of the table', icon: MessageSquare },
  buttonPressed: { label: 'A button is pressed', note: 'A field of the type Button', icon: MousePointerClick },
  schedule: { label: 'At a time', note: 'Every day, every week, every month', icon: CalendarClock },
  dateReached: { label: 'A date comes', note: 'Days before or after a date in the record', icon: CalendarDays },
  incomingCall: { label: 'Another program calls', note: 'It gets a secret address', icon: Webhook },
};

export const stepWords: Record<StepType, Words> = {
  createRecord: { label: 'Create a record', note: 'In any table of the base', icon: FilePlus },
  updateRecord: { label: 'Change a record', note: 'The one that started it, or another', icon: FilePen },
  upsertRecord: {
    label: 'Change or create a record',
    note: 'Changes the one that matches, or creates it',
    icon: FilePen,
  },
  deleteRecord: { label: 'Delete a record', note: 'Into the trash', icon: Trash2 },
  findRecords: { label: 'Find records', note: 'For the steps that follow', icon: Search },
  if: { label: 'Only if …', note: 'Some steps if a condition is met, others if not', icon: Split },
  forEach: { label: 'For each record found', note: 'The same steps for every one', icon: Repeat },
  sendEmail: { label: 'Send an e-mail', note: 'To one or several addresses', icon: Mail },
  notify: { label: 'Notify people', note: 'Under the bell in the app', icon: Bell },
  comment: { label: 'Write a comment', note: 'On a record', icon: MessageSquare },
  callUrl: { label: 'Call an address', note: 'Send data to another program', icon: Globe },
  wait: { label: 'Wait', note: 'Minutes, hours or days', icon: Hourglass },
};

export const stateWords: Record<AutomationSummary['state'], { label: string; tone: Tone }> = {
  on: { label: 'On', tone: 'good' },
  off: { label: 'Off', tone: 'idle' },
  error: { label: 'Error', tone: 'bad' },
  stopped: { label: 'Stopped', tone: 'bad' },
  paused: { label: 'Paused', tone: 'warn' },
};

export const runWords: Record<Run['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'idle' },
  running: { label: 'Running', tone: 'idle' },
  success: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  canceled: { label: 'Cancelled', tone: 'warn' },
};
