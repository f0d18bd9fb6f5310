// What a base shows of itself to one user.
import { mightierOf, type Role } from '@rowhouse/contract/permission.ts';
import type { Base, BaseRow } from './base.sql.ts';

export interface ShownBase extends Base {
  role: Role;
  collaboratorType: 'space' | 'base';
  isBound?: true;
}

export const showBase = (row: BaseRow): ShownBase => {
  const role = mightierOf(row.spaceRole, row.baseRole) as Role;
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    spaceId: row.spaceId,
    role,
    collaboratorType: row.spaceRole === role ? 'space' : 'base',
    ...(row.isBound ? { isBound: true as const } : {}),
  };
};
