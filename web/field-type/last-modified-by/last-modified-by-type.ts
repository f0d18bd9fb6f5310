import { UserPen } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';
import { peopleCells } from '../user/user-type.ts';

export const lastModifiedBy: FieldTypeEntry = {
  label: 'Last modified by',
  meaning: 'Who changed it last',
  icon: UserPen,
  ...peopleCells,
};
