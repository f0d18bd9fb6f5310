import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { EyeOff } from 'lucide-react';
import { Popover } from '../ui/popover.tsx';
import { columnsOf, hiding, isHidden, orderedFields } from './columns.ts';
import { fieldTypeInfo } from './field-type.ts';
import { ToolbarButton } from './toolbar-button.tsx';
import { useColumnActions } from './use-column-actions.ts';

export interface FieldsPopoverProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  disabled: boolean;
}

/** Which fields the view shows. */
export const FieldsPopover = ({ tableId, view, fields, disabled }: FieldsPopoverProps) => {
  const { setMeta } = useColumnActions(tableId, view, columnsOf(fields, view));
  const hidden = fields.filter((field) => isHidden(view, field)).length;
  return (
    <Popover label="Fields of this view" trigger={<ToolbarButton icon={<EyeOff size={16} aria-hidden />} label={hidden === 0 || view.type !== 'grid' ? 'Fields' : `${hidden} hidden`} active={hidden > 0 && view.type === 'grid'} />}>
      <ul className="flex w-60 flex-col">
        {orderedFields(fields, view).map((field) => {
          const { icon: Icon } = fieldTypeInfo(field.type);
          return (
            <li key={field.id}>
              <label className="flex items-center gap-2.5 rounded-lg px-2 py-1.5 hover:bg-sunken">
                <input
                  type="checkbox"
                  className="size-4 accent-[var(--accent)]"
                  checked={!isHidden(view, field)}
                  disabled={disabled || field.isPrimary === true}
                  onChange={(event) => setMeta({ [field.id]: hiding(view, !event.target.checked) })}
                />
                <Icon size={15} className="shrink-0 text-ink-faint" aria-hidden />
                <span className="truncate">{field.name}</span>
              </label>
            </li>
          );
        })}
      </ul>
    </Popover>
  );
};
