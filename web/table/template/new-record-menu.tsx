// Beside "New record": the templates of the table, and what can be done with them.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordTemplate } from '@rowhouse/contract/record-template.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus, Settings2, StickyNote } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { BasePerson } from '../../record-data/queries.ts';
import { cellsOfTemplate, defaultTemplateOf, recordTemplatesQuery } from '../../record-data/record-templates.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';

const TemplateDialog = lazy(async () => ({
  default: (await import('../../record/template/template-dialog.tsx')).TemplateDialog,
}));
const TemplatesDialog = lazy(async () => ({ default: (await import('./templates-dialog.tsx')).TemplatesDialog }));

interface NewRecordMenuProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  /** Of the templates; of the view. */
  may: { change: boolean; setDefault: boolean };
  /** `cells`: instead of what the view begins with. */
  onAdd: (cells?: Record<string, unknown>) => void;
}

interface ChoicesProps {
  tableId: string;
  view: View;
  onAdd: NewRecordMenuProps['onAdd'];
}

/** Read when the menu opens. */
const Choices = ({ tableId, view, onAdd }: ChoicesProps) => {
  const { data: templates, error } = useQuery(recordTemplatesQuery(tableId));
  const usual = templates?.find(({ id }) => id === defaultTemplateOf(view));
  const item = (template: RecordTemplate) => (
    <MenuItem key={template.id} icon={<StickyNote size={16} />} onSelect={() => onAdd(cellsOfTemplate(template))}>
      <span className="min-w-0 flex-1 truncate">{template.name}</span>
      {template === usual && <span className="text-[12px] text-ink-faint">Default</span>}
    </MenuItem>
  );
  if (error !== null) return <MenuLabel>The templates could not be loaded.</MenuLabel>;
  if (templates === undefined) return <MenuLabel>Loading…</MenuLabel>;
  return (
    <>
      <MenuLabel>{templates.length === 0 ? 'No record templates yet' : 'New record from a template'}</MenuLabel>
      {templates.map(item)}
      {usual !== undefined && (
        <MenuItem icon={<Plus size={16} />} onSelect={() => onAdd({})}>
          Without a template
        </MenuItem>
      )}
    </>
  );
};

export const NewRecordMenu = ({ tableId, view, fields, people, may, onAdd }: NewRecordMenuProps) => {
  const [asking, setAsking] = useState<'new' | 'all'>();
  const close = (): void => setAsking(undefined);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button
            look="primary"
            size="small"
            className="ml-px rounded-l-none !px-1.5"
            aria-label="Record templates"
            title="Record templates"
          >
            <ChevronDown size={16} aria-hidden />
          </Button>
        }
      >
        <Choices tableId={tableId} view={view} onAdd={onAdd} />
        {may.change && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Plus size={16} />} onSelect={() => setAsking('new')}>
              New template
            </MenuItem>
            <MenuItem icon={<Settings2 size={16} />} onSelect={() => setAsking('all')}>
              Manage templates
            </MenuItem>
          </>
        )}
      </Menu>
      <Suspense fallback={null}>
        {asking === 'new' && <TemplateDialog tableId={tableId} fields={fields} people={people} onClose={close} />}
        {asking === 'all' && (
          <TemplatesDialog
            tableId={tableId}
            view={view}
            fields={fields}
            people={people}
            maySetDefault={may.setDefault}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
};
