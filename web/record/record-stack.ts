// Records that were opened one from another, as they stand in the address: the last one is on top.
interface StackedRecord {
  tableId: string;
  recordId: string;
}

const one = /^(tbl[0-9A-Za-z]{16})\.(rec[0-9A-Za-z]{16})$/;
/** More is lost from below: addresses are not endless. */
const highest = 12;

export const readStack = (text: string | undefined): StackedRecord[] =>
  (text ?? '').split(',').flatMap((part) => {
    const [, tableId, recordId] = one.exec(part) ?? [];
    return tableId === undefined || recordId === undefined ? [] : [{ tableId, recordId }];
  });

const writeStack = (stack: readonly StackedRecord[]): string | undefined =>
  stack.length === 0 ? undefined : stack.map(({ tableId, recordId }) => `${tableId}.${recordId}`).join(',');

/** What is on top already is not opened again. */
export const pushed = (text: string | undefined, record: StackedRecord): string | undefined => {
  const stack = readStack(text);
  const top = stack.at(-1);
  return writeStack(
    top?.tableId === record.tableId && top.recordId === record.recordId ? stack : [...stack, record].slice(-highest),
  );
};

export const popped = (text: string | undefined): string | undefined => writeStack(readStack(text).slice(0, -1));
