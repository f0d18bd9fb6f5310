import type { Field } from '@rowhouse/contract/field.ts';
import { type Statistic, validStatistics } from '@rowhouse/contract/aggregation.ts';
import {
  ArrowDownNarrowWide,
  ArrowDownWideNarrow,
  ArrowLeftToLine,
  ArrowRightToLine,
  ChevronRight,
  CopyPlus,
  EyeOff,
  ShieldCheck,
  ListFilter,
  Pencil,
  Pin,
  Rows3,
  Sigma,
  Trash2,
} from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { AnchoredMenu } from '../../ui/anchored-menu.tsx';
import { menuClass, MenuItem, menuItemClass, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import type { Rectangle } from './canvas/grid-props.ts';
import { fieldTypeOf, kindOfField } from '../../field-type/field-types.ts';
import { statisticWords } from './statistic/statistic-words.ts';

export type ColumnAsk =
  | 'sort-up'
  | 'sort-down'
  | 'group'
  | 'filter'
  | 'edit'
  | 'insert-left'
  | 'insert-right'
  | 'duplicate'
  | 'hide'
  | 'freeze'
  | 'delete';

interface ColumnMenuProps {
  field: Field;
  /** How many fields are selected together with it. */
  count: number;
  at: Rectangle;
  canChangeFields: boolean;
  canChangeView: boolean;
  /** For those who manage the rights. */
  onWho: (() => void) | undefined;
  onClose: () => void;
  onAsk: (what: ColumnAsk) => void;
  onStatistic: (statistic: Statistic | null) => void;
}

export const ColumnMenu = ({
  field,
  count,
  at,
  canChangeFields,
  canChangeView,
  onWho,
  onClose,
  onAsk,
  onStatistic,
}: ColumnMenuProps) => (
  <AnchoredMenu at={at} onClose={onClose}>
    <MenuLabel>{field.description ?? fieldTypeOf(kindOfField(field)).label}</MenuLabel>
    {canChangeFields && (
      <>
        <MenuItem icon={<Pencil size={16} />} onSelect={() => onAsk('edit')}>
          Edit field
        </MenuItem>
        {field.isPrimary !== true && (
          <MenuItem icon={<ArrowLeftToLine size={16} />} onSelect={() => onAsk('insert-left')}>
            Insert left
          </MenuItem>
        )}
        <MenuItem icon={<ArrowRightToLine size={16} />} onSelect={() => onAsk('insert-right')}>
          Insert right
        </MenuItem>
        {field.isComputed !== true && (
          <MenuItem icon={<CopyPlus size={16} />} onSelect={() => onAsk('duplicate')}>
            Duplicate field
          </MenuItem>
        )}
      </>
    )}
    <MenuSeparator />
    <MenuItem icon={<ArrowDownNarrowWide size={16} />} onSelect={() => onAsk('sort-up')}>
      Sort ascending
    </MenuItem>
    <MenuItem icon={<ArrowDownWideNarrow size={16} />} onSelect={() => onAsk('sort-down')}>
      Sort descending
    </MenuItem>
    <MenuItem icon={<ListFilter size={16} />} onSelect={() => onAsk('filter')}>
      Filter by this field
    </MenuItem>
    <MenuItem icon={<Rows3 size={16} />} onSelect={() => onAsk('group')}>
      Group by this field
    </MenuItem>
    {canChangeView && (
      <>
        <Radix.Sub>
          <Radix.SubTrigger className={menuItemClass}>
            <span className="flex size-4 items-center justify-center opacity-80" aria-hidden>
              <Sigma size={16} />
            </span>
            <span className="flex-1">Statistics</span>
            <ChevronRight size={15} className="text-ink-faint" aria-hidden />
          </Radix.SubTrigger>
          <Radix.Portal>
            <Radix.SubContent className={menuClass} collisionPadding={8}>
              <MenuItem onSelect={() => onStatistic(null)}>None</MenuItem>
              {validStatistics({
                type: field.type,
                cellValueType: field.cellValueType,
                isMultiple: field.isMultipleCellValue === true,
              }).map((statistic) => (
                <MenuItem key={statistic} onSelect={() => onStatistic(statistic)}>
                  {statisticWords[statistic]}
                </MenuItem>
              ))}
            </Radix.SubContent>
          </Radix.Portal>
        </Radix.Sub>
        <MenuSeparator />
        <MenuItem icon={<Pin size={16} />} onSelect={() => onAsk('freeze')}>
          Freeze up to here
        </MenuItem>
        {field.isPrimary !== true && (
          <MenuItem icon={<EyeOff size={16} />} onSelect={() => onAsk('hide')}>
            {count > 1 ? `Hide ${count} fields` : 'Hide in this view'}
          </MenuItem>
        )}
      </>
    )}
    {onWho !== undefined && (
      <>
        <MenuSeparator />
        <MenuItem icon={<ShieldCheck size={16} />} onSelect={onWho}>
          Who sees this field
        </MenuItem>
      </>
    )}
    {canChangeFields && field.isPrimary !== true && (
      <>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => onAsk('delete')}>
          Delete field
        </MenuItem>
      </>
    )}
  </AnchoredMenu>
);
