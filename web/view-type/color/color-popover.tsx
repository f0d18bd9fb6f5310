// Rules that colour the records of a view: rows or cells, by conditions, by choices, or by how large a number is.
import { type ColorRule, colorRulesOf } from '@rowhouse/contract/color-rule.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { Palette, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { queryClient } from '../../app/query-client.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { recordsKey, viewsQuery } from '../../record-data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { showProblem } from '../../ui/toast.ts';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';
import { newRule, saveRules } from './color-rules.ts';
import { RuleEditor } from './rule-editor.tsx';

interface ColorPopoverProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  people: readonly BasePerson[];
  disabled: boolean;
}

const saveAfter = 400;

export const ColorPopover = ({ tableId, view, fields, people, disabled }: ColorPopoverProps) => {
  const saved = colorRulesOf(view);
  const [draft, setDraft] = useState<readonly ColorRule[] | null>(null);
  const sent = useRef<readonly ColorRule[]>(saved);
  const unsent = useRef<{ timer: ReturnType<typeof setTimeout>; send: () => void }>(undefined);
  // One at a time: a save that did not know what the one before it wrote would write it again.
  const saving = useRef(Promise.resolve());
  const shown = draft ?? saved;
  const send = (): void => {
    clearTimeout(unsent.current?.timer);
    unsent.current?.send();
    unsent.current = undefined;
  };
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => send, []);
  const change = (next: readonly ColorRule[]): void => {
    if (draft === null) sent.current = saved;
    setDraft(next);
    clearTimeout(unsent.current?.timer);
    const save = (): void => {
      saving.current = saving.current
        .then(() => saveRules(tableId, view, sent.current, next))
        .then(async () => {
          await queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey });
          const now = queryClient.getQueryData(viewsQuery(tableId).queryKey)?.find(({ id }) => id === view.id);
          if (now !== undefined) sent.current = colorRulesOf(now);
          // Cells of hidden fields that a rule asks about have not been read yet.
          await queryClient.invalidateQueries({ queryKey: recordsKey(tableId) });
        })
        .catch((error: unknown) => showProblem(error, 'The colours were not saved.'));
    };
    unsent.current = { timer: setTimeout(send, saveAfter), send: save };
  };
  const open = (isOpen: boolean): void => {
    if (isOpen) return;
    send();
    setDraft(null);
  };
  return (
    <Popover
      label="Colours"
      onOpenChange={open}
      trigger={
        <ToolbarButton
          icon={<Palette size={16} aria-hidden />}
          label={saved.length === 0 ? 'Colour' : `${saved.length} ${saved.length === 1 ? 'colour' : 'colours'}`}
          active={saved.length > 0}
        />
      }
    >
      <div className="flex w-[44rem] max-w-full flex-col gap-3">
        {shown.length === 0 && (
          <p className="text-ink-soft">Colour rows and cells by their values. The first matching rule applies.</p>
        )}
        {shown.map((rule, index) => (
          <RuleEditor
            // Rules have no name but their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            number={index + 1}
            rule={rule}
            fields={fields}
            people={people}
            disabled={disabled}
            onChange={(next) => change(shown.map((old, at) => (at === index ? next : old)))}
            onRemove={() => change(shown.filter((_rule, at) => at !== index))}
          />
        ))}
        {!disabled && (
          <Button icon={<Plus size={15} />} onClick={() => change([...shown, newRule(fields, shown)])}>
            Add a rule
          </Button>
        )}
      </div>
    </Popover>
  );
};
