// Makes a field, or changes it: beside its column, so that the data stays in sight.
import { createField, type Field, type FieldTypeName, updateField } from '@rowhouse/contract/field.ts';
import { X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { call } from '../../app/call.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { floatClass } from '../../ui/popover.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { BasePerson } from '../editor/editor-props.ts';
import { fieldTypeInfo } from '../field-type.ts';
import { changeField } from './change-field.ts';
import { ConversionLoss } from './conversion-loss.tsx';
import { FieldOptions } from './field-options.tsx';
import { FieldRules, type Rules, rulesOf, withRules } from './field-rules.tsx';
import { TypeChoice } from './type-choice.tsx';

export interface FieldDialogProps {
  tableId: string;
  /** The field to change; a new one without it. */
  field?: Field | undefined;
  /** Where a new field stands. */
  order?: { viewId: string; orderIndex: number } | undefined;
  /** The header of its column; at the right edge of the table without it. */
  at?: { x: number; y: number; width: number; height: number } | undefined;
  people: readonly BasePerson[];
  /** Of the table, for formulas. */
  fields: readonly Field[];
  /** The record that the cursor is in. */
  recordId?: string | undefined;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}

const besideTable = (): NonNullable<FieldDialogProps['at']> => ({ x: window.innerWidth - 16, y: 140, width: 0, height: 0 });

/** What was not touched is not sent: somebody else may have changed it. */
const withoutSame = <Definition extends { name?: string; notNull?: boolean; unique?: boolean }>({ name, notNull, unique, ...rest }: Definition, field: Field) => ({
  ...rest,
  ...(name === undefined || name === field.name ? {} : { name }),
  ...(notNull === undefined || notNull === (field.notNull === true) ? {} : { notNull }),
  ...(unique === undefined || unique === (field.unique === true) ? {} : { unique }),
});

export const FieldDialog = ({ tableId, field, order, at = besideTable(), people, fields, recordId, onClose, onSaved }: FieldDialogProps) => {
  const [name, setName] = useState(field?.name ?? '');
  const [type, setType] = useState<FieldTypeName>(field?.type ?? 'singleLineText');
  const [options, setOptions] = useState<Record<string, unknown>>(field?.options ?? {});
  const [rules, setRules] = useState<Rules>(rulesOf(field));
  // A new field begins with what it shall be.
  const [isChoosing, setChoosing] = useState(field === undefined);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [isTouched, setTouched] = useState(false);

  const chooseType = (next: FieldTypeName): void => {
    setType(next);
    setOptions(next === field?.type ? field.options : {});
    setChoosing(false);
  };

  const write = async (): Promise<void> => {
    const title = name.trim() === '' ? {} : { name: name.trim() };
    const definition = { type, ...withRules(type, options, rules), ...title };
    if (field === undefined) {
      await call(createField, { params: { tableId }, body: { ...definition, ...(rules.description.trim() === '' ? {} : { description: rules.description.trim() }), ...(order === undefined ? {} : { order }) } });
      return;
    }
    await changeField(tableId, field, withoutSame(definition, field));
    if (rules.description.trim() !== (field.description ?? '')) await call(updateField, { params: { tableId, fieldId: field.id }, body: { description: rules.description.trim() === '' ? null : rules.description.trim() } });
  };

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await write();
      await onSaved();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };

  return (
    <Popover.Root open onOpenChange={(next) => !next && onClose()}>
      <Popover.Anchor asChild>
        <span aria-hidden className="pointer-events-none fixed" style={{ left: at.x, top: at.y, width: at.width, height: at.height }} />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          side="right"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={field === undefined ? 'New field' : `Edit ${field.name}`}
          // What was entered is not lost to a click beside it.
          onInteractOutside={(event) => isTouched && event.preventDefault()}
          className={classNames(floatClass, 'flex max-h-[var(--radix-popover-content-available-height)] w-90 flex-col')}
        >
          <form onSubmit={(event) => void save(event)} onChange={() => setTouched(true)} className="flex min-h-0 flex-1 flex-col">
            <div className="flex items-center justify-between pt-3 pr-2 pl-4">
              <h2 className="text-[15px] font-semibold">{field === undefined ? 'New field' : 'Edit field'}</h2>
              <IconButton label="Close" onClick={onClose}>
                <X size={17} />
              </IconButton>
            </div>
            <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 pt-2 pb-4">
              <TextField label="Name" autoFocus maxLength={255} placeholder={fieldTypeInfo(type).label} value={name} onChange={(event) => setName(event.target.value)} />
              <TypeChoice
                type={type}
                isOpen={isChoosing}
                onOpen={() => setChoosing(!isChoosing)}
                onType={(next) => {
                  setTouched(true);
                  chooseType(next);
                }}
              />
              {!isChoosing && (
                <>
                  <FieldOptions tableId={tableId} type={type} field={field} fields={fields} recordId={recordId} options={options} onChange={setOptions} />
                  <FieldRules type={type} options={options} rules={rules} people={people} isMultiple={options['isMultiple'] === true} onRules={setRules} onOptions={setOptions} />
                </>
              )}
              {field !== undefined && <ConversionLoss tableId={tableId} field={field} type={type} options={withRules(type, options, rules).options ?? {}} />}
              <ProblemNote error={error} />
            </div>
            <div className="flex justify-end gap-2 border-t border-line px-4 py-3">
              <Button size="small" onClick={onClose}>
                Cancel
              </Button>
              <Button size="small" look="primary" type="submit" busy={busy}>
                {field === undefined ? 'Add field' : 'Save'}
              </Button>
            </div>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};
