// What somebody may in a table. Only those whom rules bind have to ask for it: the role of all others says it.
import type { Field } from '@rowhouse/contract/field.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { getMyRights, type MyRights } from '@rowhouse/contract/rights-explained.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../app/call.ts';
import { type Standing, standingBy, standingIn } from '../app/standing.ts';

const myRightsQuery = (tableId: string) =>
  queryOptions({
    queryKey: ['my-rights', tableId],
    queryFn: ({ signal }) => call(getMyRights, { params: { tableId }, signal }),
    staleTime: 60_000,
  });

interface InTable {
  standing: Standing;
  /** Undefined for those whom nothing binds. */
  rights: MyRights | undefined;
}

/** Undefined until it is known. */
export const useStandingInTable = (
  base: { role: Role; isBound?: true | undefined } | undefined,
  tableId: string,
): InTable | undefined => {
  const isBound = base?.isBound === true;
  const rights = useQuery({ ...myRightsQuery(tableId), enabled: isBound && tableId !== '' }).data;
  return useMemo(() => {
    if (base === undefined) return undefined;
    if (!isBound) return { standing: standingIn(base), rights: undefined };
    return rights === undefined ? undefined : { standing: standingBy(rights.actions), rights };
  }, [base, isBound, rights]);
};

/** Cells that nobody lets them write are shown as computed ones are: without an editor. */
export const useWritableFields = (fields: readonly Field[], rights: MyRights | undefined): readonly Field[] =>
  useMemo(
    () =>
      rights === undefined
        ? fields
        : fields.map((field) => {
            const own = rights.fields[field.id];
            return own !== undefined && own.update === 'none' && !own.create
              ? { ...field, isComputed: true as const }
              : field;
          }),
    [fields, rights],
  );
