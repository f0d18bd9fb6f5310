// Who may change a view: a locked one nobody, a personal one its owner.
import { allows, type Standing } from '../app/standing.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useMe } from '../app/me.ts';

export const isPersonalOfAnother = ({ personalOf }: View, userId: string | undefined): boolean =>
  personalOf !== undefined && personalOf !== userId;

export const useMayChangeView = (view: View, role: Standing): boolean => {
  // Nobody is signed in where a share is shown.
  const me = useMe() as ReturnType<typeof useMe> | undefined;
  return allows(role, 'view|update') && view.isLocked !== true && !isPersonalOfAnother(view, me?.id);
};
