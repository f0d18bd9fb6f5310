import type { FieldKeyType, TypecastReport } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { withoutEmails } from '../../cell/type/user.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { fieldsBy } from '../read/field-key.ts';

/** What was made of the values that the caller sent. A name becomes a person, whose address not everybody sees. */
export const showReport = (sight: Sight, keyType: FieldKeyType, report: TypecastReport): TypecastReport => {
  if (sight.seesEmails) return report;
  const known = fieldsBy(sight, keyType);
  const isPerson = (key: string): boolean => {
    const field = known.get(key);
    return field !== undefined && fieldTypeOf(field).namesPeople === true;
  };
  return {
    ...report,
    entries: report.entries.map((entry) => (isPerson(entry.field) ? { ...entry, to: withoutEmails(entry.to) } : entry)),
  };
};
