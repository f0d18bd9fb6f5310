// Changes that arrive while a page is being read: the page may be from before them, so they are made to it again.
// One that is older than the page does no harm, because what came after it is still to arrive.
import type { RecordVo } from '@rowhouse/contract/record.ts';

export interface RecordChange {
  id: string;
  apply(record: RecordVo): RecordVo;
}

export interface ChangeLog {
  /** Reading begins; answers the moment. */
  begin(): number;
  end(moment: number): void;
  add(changes: readonly RecordChange[]): void;
  applySince(moment: number, record: RecordVo): RecordVo;
}

export const createChangeLog = (): ChangeLog => {
  const reading: number[] = [];
  let entries: { at: number; change: RecordChange }[] = [];
  let now = 0;
  return {
    begin() {
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
      if (reading.length > 0) entries.push(...changes.map((change) => ({ at: now, change })));
    },
    applySince: (moment, record) =>
      entries
        .filter(({ at, change }) => at > moment && change.id === record.id)
        .reduce((made, { change }) => change.apply(made), record),
  };
};
