// Buttons: fields whose cells are pressed. A press is counted, starts an automation or answers an address, all at once.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { RecordVo } from './record.ts';

const tag = 'button';
const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const ofCell = Type.Object({ tableId: id('table'), recordId: id('record'), fieldId: id('button field') });

/** What stands in an address in place of a cell: `https://example.com/{fld…}`. */
const reference = /\{(fld[0-9A-Za-z]{16})\}/g;

export const fieldsInAddress = (address: string): string[] => [
  ...new Set([...address.matchAll(reference)].map(([, fieldId]) => fieldId as string)),
];

/** Texts of cells are escaped, so that none can lead elsewhere or add parameters. */
export const filledAddress = (address: string, textOf: (fieldId: string) => string): string =>
  address.replaceAll(reference, (_whole, fieldId: string) => encodeURIComponent(textOf(fieldId)));

/** What an address may begin with; a cell cannot decide that. */
export const addressBeginning = /^(https?:\/\/[^/?#{}\s]+([/?#]|$)|mailto:|tel:)/i;

export interface ButtonOptions {
  label: string;
  color: string;
  /** Absent or 0: as often as anyone likes. */
  maxCount?: number;
  /** The count may be set back. */
  resetCount?: boolean;
  action?: 'workflow' | 'openLink';
  url?: string;
  openInNewTab?: boolean;
  mayPress?: 'readers' | 'editors';
  confirm?: { title?: string; description?: string; confirmText?: string } | null;
}

export const countOf = (cell: unknown): number =>
  typeof cell === 'object' && cell !== null && 'count' in cell && typeof cell.count === 'number' ? cell.count : 0;

export const isUsedUp = ({ maxCount }: Pick<ButtonOptions, 'maxCount'>, cell: unknown): boolean =>
  maxCount !== undefined && maxCount > 0 && countOf(cell) >= maxCount;

export const pressButton = endpoint({
  name: 'pressButton',
  method: 'POST',
  path: '/table/:tableId/record/:recordId/:fieldId/button-click',
  summary: 'Press a button',
  description:
    'Counts the press and starts the automations that wait for it, both or neither. 409 when it was pressed as often as `maxCount` allows. Pressing is not writing: who reads the record may press, unless `mayPress` of the field says otherwise.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: ofCell,
  headers: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({
        maxLength: 255,
        description:
          'The same key counts and starts nothing a second time, for 24 hours, and answers what the first press did',
      }),
    ),
  }),
  isStep: false,
  status: 200,
  response: Type.Object({
    runId: Type.String({ description: 'Of the automation that it started; empty when none waits for this button.' }),
    tableId: Type.String(),
    fieldId: Type.String(),
    record: RecordVo,
    url: Type.Optional(Type.String({ description: 'To be opened by the one who pressed it.' })),
  }),
});

export const resetButton = endpoint({
  name: 'resetButton',
  method: 'POST',
  path: '/table/:tableId/record/:recordId/:fieldId/button-reset',
  summary: 'Set the count of a button back',
  description: 'For fields with `resetCount`.',
  tag,
  access: { on: 'table', action: 'record|update' },
  params: ofCell,
  isStep: false,
  status: 200,
  response: RecordVo,
});

export const pressStates = ['waiting', 'running', 'success', 'failed', 'canceled'] as const;

const Press = Type.Object({ state: Type.Enum([...pressStates]), error: Type.Optional(Type.String()) });
export type Press = Static<typeof Press>;

export const getPress = endpoint({
  name: 'getPress',
  method: 'GET',
  path: '/table/:tableId/record/:recordId/:fieldId/button-click/:runId',
  summary: 'What became of a press',
  description: 'For the person who pressed; without what the steps read or wrote.',
  tag,
  access: { on: 'table', action: 'record|read' },
  params: Type.Object({ ...ofCell.properties, runId: id('run') }),
  status: 200,
  response: Press,
});
