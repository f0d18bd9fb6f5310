// The id of records in the trash: of their table, and the number of what deleted them. So nothing has to be kept in step.

export interface RecordTrash {
  tableId: string;
  opId: number;
}

const prefixLength = 3;

export const recordTrashId = ({ tableId, opId }: RecordTrash): string =>
  `rtr${tableId.slice(prefixLength)}${opId.toString(36)}`;

/** Undefined when it is no such id. */
export const recordTrashOf = (id: string): RecordTrash | undefined => {
  const [, tail, number] = /^rtr([0-9A-Za-z]{16})([1-9a-z][0-9a-z]{0,9})$/.exec(id) ?? [];
  return tail === undefined || number === undefined
    ? undefined
    : { tableId: `tbl${tail}`, opId: Number.parseInt(number, 36) };
};
