import { UserRoundPlus } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';
import { peopleCells } from '../user/user-type.ts';

export const createdBy: FieldTypeEntry = {
  label: 'Created by',
  meaning: 'Who created the record',
  icon: UserRoundPlus,
  ...peopleCells,
};
