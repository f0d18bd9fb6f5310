// Of two tellings about a record the one that was asked for later counts, whichever arrives first. Changes that arrive while a page
// is being read are made to it again: the page may be from before them. One that is older than the page does no harm, because
// what came after it is still to arrive.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';

/** A cell as the text that a person sees. How it reads is a matter of its field type, which is a layer above: it is given. */
export type CellText = (field: Pick<Field, 'type' | 'options'>, value: unknown) => string;

export interface RecordChange {
  id: string;
  apply(record: RecordVo): RecordVo;
}

interface ChangeLog {
  /** Reading begins; answers the moment. */
  begin(): number;
  end(moment: number): void;
  add(changes: readonly RecordChange[]): void;
  /** What was asked for at this moment is here. Answers it with everything that is newer. */
  answered(moment: number, records: readonly RecordVo[]): RecordVo[];
}

export const createChangeLog = (): ChangeLog => {
  const reading: number[] = [];
  let entries: { at: number; change: RecordChange }[] = [];
  let now = 0;
  const note = (at: number, changes: readonly RecordChange[]): void => {
    if (!reading.some((moment) => moment < at)) return;
    entries.push(...changes.map((change) => ({ at, change })));
    // An answer is as old as its question.
    entries.sort((one, other) => one.at - other.at);
  };
  return {
    begin() {
      now += 1;
      reading.push(now);
      return now;
    },
    end(moment) {
      reading.splice(reading.indexOf(moment), 1);
      const oldest = reading.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...reading);
      entries = entries.filter(({ at }) => at > oldest);
    },
    add(changes) {
      now += 1;
      note(now, changes);
    },
    answered(moment, records) {
      const newer = entries.filter(({ at }) => at > moment);
      note(
        moment,
        records.map((record) => ({ id: record.id, apply: () => record })),
      );
      return records.map((record) =>
        newer.filter(({ change }) => change.id === record.id).reduce((made, { change }) => change.apply(made), record),
      );
    },
  };
};
