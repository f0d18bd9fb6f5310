// The cell whose editor is open. Nothing turns it to another record or field.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { useRef, useState } from 'react';
import type { TableRecords } from '../../record-data/table-records.ts';

export interface EditedCell {
  /** Another one for every time that an editor opens. */
  turn: number;
  record: RecordVo;
  field: Field;
  value: unknown;
  /** What the edit is made on. */
  before: unknown;
  initialText: string | undefined;
}

interface Editing {
  edited: EditedCell | undefined;
  open: (recordId: string, field: Field, initialText?: string) => void;
  close: () => void;
  /** A new record has got its id. */
  rename: (from: string, to: string) => void;
}

export const useEditing = ({ window, edits }: TableRecords): Editing => {
  const [edited, setEdited] = useState<EditedCell>();
  const turns = useRef(0);
  return {
    edited,
    open(recordId, field, initialText) {
      const record = window.find(recordId);
      if (record !== undefined)
        setEdited({
          turn: (turns.current += 1),
          record,
          field,
          value: edits.valueOf(record, field.id),
          before: edits.beforeOf(record, field.id),
          initialText,
        });
    },
    close: () => setEdited(undefined),
    rename: (from, to) =>
      setEdited((before) =>
        before?.record.id === from ? { ...before, record: { ...before.record, id: to } } : before,
      ),
  };
};
