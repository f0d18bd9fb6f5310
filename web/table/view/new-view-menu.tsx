import { createView, type View, type ViewType } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { fromHere } from '../../app/from-here.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showProblem } from '../../ui/toast.ts';
import { fieldsQuery, viewsQuery } from '../../record-data/queries.ts';
import { newView, viewTypes } from '../../view-type/view-types.ts';

interface NewViewMenuProps {
  tableId: string;
  views: readonly View[];
  trigger: ReactNode;
}

export const NewViewMenu = ({ tableId, views, trigger }: NewViewMenuProps) => {
  const fields = useQuery(fieldsQuery(tableId)).data ?? [];
  const navigate = useNavigate({ from: '/base/$baseId/$tableId' });

  const add = async (type: ViewType): Promise<void> => {
    const leadOn = fromHere();
    try {
      const { id } = await call(createView, {
        params: { tableId },
        body: newView(type, views, fields),
      });
      await queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey });
      await leadOn(() => navigate({ search: { view: id } }));
    } catch (error) {
      showProblem(error, 'The view was not created.');
    }
  };

  return (
    <Menu trigger={trigger}>
      {(Object.entries(viewTypes) as [ViewType, (typeof viewTypes)[ViewType]][]).map(
        ([type, { icon: Icon, label, meaning }]) => (
          <MenuItem key={type} icon={<Icon size={16} />} onSelect={() => void add(type)}>
            <span className="min-w-0">
              <span className="block">{label}</span>
              <span className="block text-[12px] text-ink-faint">{meaning}</span>
            </span>
          </MenuItem>
        ),
      )}
    </Menu>
  );
};
