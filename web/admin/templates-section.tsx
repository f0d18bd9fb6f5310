// The templates of the instance: which are offered, in which order.
import {
  deleteTemplate,
  pinTemplate,
  snapshotTemplate,
  type Template,
  updateTemplate,
} from '@rowhouse/contract/template.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowUpToLine, Ellipsis, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { BaseMark } from '../home/base-mark.tsx';
import { reloadTemplates, templatesQuery } from '../home/template/queries.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { showToast } from '../ui/toast.ts';

const aboutOf = ({ tables, usageCount, snapshot }: Template): string =>
  [
    tables.map((table) => table.name).join(', '),
    usageCount === 0 ? 'not used yet' : `used ${usageCount === 1 ? 'once' : `${usageCount} times`}`,
    ...(snapshot === undefined ? ['included'] : []),
  ]
    .filter((part) => part !== '')
    .join(' · ');

const TemplateRow = ({ template, onDelete }: { template: Template; onDelete: () => void }) => {
  const params = { templateId: template.id };
  const name = template.name ?? 'Without a name';
  const change = useMutation({ mutationFn: (work: () => Promise<unknown>) => work(), onSuccess: reloadTemplates });
  const refresh = async (): Promise<void> => {
    await call(snapshotTemplate, { params });
    showToast({ kind: 'note', title: `${name} was updated from its base.` });
  };
  return (
    <li className="py-3">
      <div className="flex items-center gap-3">
        <BaseMark small id={template.id} name={name} icon={template.icon} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-[13px] text-ink-faint">{aboutOf(template)}</p>
        </div>
        <label className="flex shrink-0 items-center gap-2 text-[13px]">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            aria-label={`Publish ${name}`}
            checked={template.isPublished}
            disabled={change.isPending}
            onChange={(event) =>
              change.mutate(() => call(updateTemplate, { params, body: { isPublished: event.target.checked } }))
            }
          />
          Published
        </label>
        <Menu
          align="end"
          trigger={
            <IconButton label={`More for ${name}`}>
              <Ellipsis size={17} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<ArrowUpToLine size={16} />}
            onSelect={() => change.mutate(() => call(pinTemplate, { params }))}
          >
            Move to the top
          </MenuItem>
          {template.baseId !== undefined && (
            <MenuItem icon={<RefreshCw size={16} />} onSelect={() => change.mutate(refresh)}>
              Update from its base
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={16} />} onSelect={onDelete}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <ProblemNote error={change.error} />
    </li>
  );
};

export const TemplatesSection = () => {
  const { data = [], error } = useQuery(templatesQuery);
  const [deleting, setDeleting] = useState<Template | null>(null);
  return (
    <Section
      title="Templates"
      lead="Starting points for new bases. To add one, choose “Save as template” in the menu of a base."
    >
      <ProblemNote error={error} />
      <ul className="divide-y divide-line">
        {data.map((template) => (
          <TemplateRow key={template.id} template={template} onDelete={() => setDeleting(template)} />
        ))}
      </ul>
      {deleting !== null && (
        <ConfirmDialog
          title={`Delete ${deleting.name ?? 'this template'}?`}
          description="It can no longer be used for new bases. Bases that were made from it stay. This cannot be undone."
          action="Delete template"
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await call(deleteTemplate, { params: { templateId: deleting.id } });
            await reloadTemplates();
          }}
        />
      )}
    </Section>
  );
};
