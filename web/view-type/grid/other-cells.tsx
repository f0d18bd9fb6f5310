import type { Field } from '@rowhouse/contract/field.ts';
import type { OtherCell } from '../../app/presence/cells.ts';

/** For those who do not see the borders on the grid. */
export const OtherCells = ({
  others,
  fields,
  nameOf,
}: {
  others: readonly OtherCell[];
  fields: readonly Field[];
  nameOf: (recordId: string) => string | undefined;
}) =>
  others.length === 0 ? null : (
    <ul aria-label="Cells that others are in" className="sr-only">
      {others.map(({ userId, name, recordId, fieldId }) => (
        <li key={userId}>
          {name}: {fields.find(({ id }) => id === fieldId)?.name} of {nameOf(recordId) ?? 'a record further away'}
        </li>
      ))}
    </ul>
  );
