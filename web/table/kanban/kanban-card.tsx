import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { MoveRight } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { Choice } from '../cell/cell-text.ts';
import { CardFields, cardName } from '../cell/card-fields.tsx';

export interface KanbanCardProps {
  record: RecordVo;
  fields: readonly Field[];
  choices: readonly Choice[];
  own: string | null;
  mayEdit: boolean;
  onMove: (recordId: string, choice: string | null) => Promise<void>;
  onOpen: (recordId: string) => void;
}

export const KanbanCard = ({ record, fields, choices, own, mayEdit, onMove, onOpen }: KanbanCardProps) => {
  const name = cardName(record);
  return (
    <li draggable={mayEdit} onDragStart={(event) => event.dataTransfer.setData('text/plain', record.id)} className="rounded-lg border border-line bg-surface p-3 shadow-card">
      <div className="flex items-start gap-1">
        <button type="button" className="min-w-0 flex-1 text-left font-medium break-words hover:text-accent" onClick={() => onOpen(record.id)}>
          {name}
        </button>
        {mayEdit && (
          <Menu
            align="end"
            trigger={
              <IconButton label={`Move ${name}`} className="-mt-1 -mr-1.5">
                <MoveRight size={15} />
              </IconButton>
            }
          >
            {[null, ...choices].filter((choice) => (choice?.name ?? null) !== own).map((choice) => (
              <MenuItem key={choice?.id ?? 'none'} onSelect={() => void onMove(record.id, choice?.name ?? null)}>
                {choice?.name ?? 'None'}
              </MenuItem>
            ))}
          </Menu>
        )}
      </div>
      <CardFields record={record} fields={fields} className="mt-1 gap-1.5" />
    </li>
  );
};
