// Changes type, options or rules of a field, on top of what others have made of it since it was looked at: a choice that
// somebody adds meanwhile would else be gone, and with it what was written into cells.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { convertField, type Field } from '@rowhouse/contract/field.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { inStep } from '../../app/window-steps.ts';
import { mergeOptions } from '../../record-data/merge-changes.ts';
import { fieldsQuery } from '../../record-data/queries.ts';
import { sendMerged } from '../../record-data/send-merged.ts';

/** `seen` is the field that the change was made from. */
export const changeField = async (
  tableId: string,
  seen: Field,
  change: Omit<BodyOf<typeof convertField>, 'before'>,
  step?: string,
): Promise<void> => {
  const { type, options } =
    queryClient.getQueryData(fieldsQuery(tableId).queryKey)?.find(({ id }) => id === seen.id) ?? seen;
  await sendMerged({ type, options }, (now) => {
    if (now.type !== seen.type)
      throw new ApiError('conflict', 'Someone changed the type of this field in the meantime. Nothing was changed');
    const merged =
      change.type === seen.type && change.options !== undefined
        ? { options: mergeOptions(seen.options, change.options, now.options) }
        : {};
    return call(convertField, {
      params: { tableId, fieldId: seen.id },
      body: { ...change, ...merged, before: now },
      headers: inStep(step),
    });
  });
};
