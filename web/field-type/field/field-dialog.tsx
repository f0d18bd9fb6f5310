// Makes a field, or changes it: beside its column, so that the data stays in sight.
import { orderOfLocale } from '@rowhouse/contract/date-order.ts';
import {
  createField,
  type Field,
  type FieldTypeName,
  type LookupOptions as Lookup,
  updateField,
} from '@rowhouse/contract/field.ts';
import { X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { call } from '../../app/call.ts';
import { issuesOf, sentence } from '../../ui/problem.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { floatClass } from '../../ui/popover.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useMedia } from '../../ui/use-media.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import type { FieldKind } from '../field-type.ts';
import { fieldTypeOf } from '../field-types.ts';
import { linkOptionsOf } from '../link/linked.ts';
import { changeField } from './change-field.ts';
import { ConversionLoss } from './conversion-loss.tsx';
import { askedOf, kindInDialog, lookupDefinition, ownOptions } from '../lookup/lookup-form.ts';
import { linksIn } from '../lookup/lookup-options.tsx';
import { fieldFormOf } from '../field-forms.ts';
import { FieldRules, type Rules, rulesOf, withRules } from './field-rules.tsx';
import { TypeChoice } from './type-choice.tsx';
import { browserLanguage } from '../../ui/language.ts';

interface FieldDialogProps {
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

const besideTable = (): NonNullable<FieldDialogProps['at']> => ({
  x: window.innerWidth - 16,
  y: 140,
  width: 0,
  height: 0,
});

/** What was not touched is not sent: somebody else may have changed it. */
const withoutSame = <Definition extends { name?: string; notNull?: boolean; unique?: boolean }>(
  { name, notNull, unique, ...rest }: Definition,
  field: Field,
) => ({
  ...rest,
  ...(name === undefined || name === field.name ? {} : { name }),
  ...(notNull === undefined || notNull === (field.notNull === true) ? {} : { notNull }),
  ...(unique === undefined || unique === (field.unique === true) ? {} : { unique }),
});

export const FieldDialog = ({
  tableId,
  field,
  order,
  at = besideTable(),
  people,
  fields,
  recordId,
  onClose,
  onSaved,
}: FieldDialogProps) => {
  const [name, setName] = useState(field?.name ?? '');
  const [kind, setKind] = useState<FieldKind>(field === undefined ? 'singleLineText' : kindInDialog(field));
  /** Of a lookup: the type of the field that it shows. */
  const [sourceType, setSourceType] = useState<FieldTypeName>(field?.type ?? 'singleLineText');
  const [lookup, setLookup] = useState<Lookup>(askedOf(field));
  const [otherName, setOtherName] = useState('');
  const [options, setOptions] = useState<Record<string, unknown>>(field === undefined ? {} : ownOptions(field));
  const [rules, setRules] = useState<Rules>(rulesOf(field));
  // A new field begins with what it shall be.
  const [isChoosing, setChoosing] = useState(field === undefined);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [dateOrder, setDateOrder] = useState(() => orderOfLocale(browserLanguage()));
  const [createsMissing, setCreatesMissing] = useState(true);
  const [isTouched, setTouched] = useState(false);

  const chooseKind = (next: FieldKind, given?: Record<string, unknown>): void => {
    const isOld = field !== undefined && next === kindInDialog(field);
    const [link, second] = linksIn(fields);
    setKind(next);
    const { begin = {}, beginNew } = fieldFormOf(next);
    const own = isOld ? ownOptions(field) : { ...begin, ...(field === undefined ? beginNew?.() : {}) };
    setOptions({ ...own, ...given });
    // There may be nothing to choose.
    setLookup(
      isOld
        ? askedOf(field)
        : link === undefined || second !== undefined
          ? {}
          : { linkFieldId: link.id, foreignTableId: linkOptionsOf(link).foreignTableId },
    );
    setError(null);
    setChoosing(false);
  };
  const { Options, looksUp, isComplete: isReady, places, finish, convertByTitle, asksDateOrder } = fieldFormOf(kind);
  /** Something else becomes a link: the form of the link says what its cells would lead to. */
  const linksByTitle =
    convertByTitle !== undefined && field !== undefined && fieldTypeOf(field.type).leadsTo === undefined;
  const isComplete = isReady?.(options, lookup) ?? true;
  const definition =
    looksUp === true
      ? lookupDefinition(kind, sourceType, options, lookup)
      : { type: kind as FieldTypeName, ...withRules(kind, options, rules) };
  const habit =
    asksDateOrder === true && field !== undefined && fieldFormOf(field.type).asksDateOrder !== true
      ? { dateOrder }
      : {};
  const issue = (path: string): string | undefined => {
    const found = issuesOf(error).find((one) => one.path === path || one.path === `body.${path}`);
    return found === undefined ? undefined : sentence(found.message);
  };
  const isPlaced = error !== null && places?.some((path) => issue(path) !== undefined) === true;

  const write = async (): Promise<void> => {
    const title = name.trim() === '' ? {} : { name: name.trim() };
    const body = { ...definition, ...title };
    if (field === undefined) {
      const made = await call(createField, {
        params: { tableId },
        body: {
          ...body,
          ...(rules.description.trim() === '' ? {} : { description: rules.description.trim() }),
          ...(order === undefined ? {} : { order }),
        },
      });
      return finish?.(made, otherName);
    }
    const convert = (step?: string): Promise<void> =>
      changeField(tableId, field, { ...withoutSame(body, field), ...habit }, step);
    await (linksByTitle ? convertByTitle({ tableId, field, options, createsMissing, convert }) : convert());
    if (rules.description.trim() !== (field.description ?? ''))
      await call(updateField, {
        params: { tableId, fieldId: field.id },
        body: { description: rules.description.trim() === '' ? null : rules.description.trim() },
      });
  };

  /** What was wrong may be right now. */
  const touch = (): void => {
    setTouched(true);
    setError(null);
  };
  const changeOptions = (next: Record<string, unknown>): void => {
    touch();
    setOptions(next);
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

  const isNarrow = useMedia('(max-width: 639px)');
  return (
    <Popover.Root open onOpenChange={(next) => !next && onClose()}>
      <Popover.Anchor asChild>
        <span
          aria-hidden
          className="pointer-events-none fixed"
          style={{ left: at.x, top: at.y, width: at.width, height: at.height }}
        />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          // Beside its column there is no room on a phone.
          side={isNarrow ? 'bottom' : 'right'}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          // Also when the phone is turned and its column is out of sight.
          sticky="always"
          aria-label={field === undefined ? 'New field' : `Edit ${field.name}`}
          // What was entered is not lost to a click beside it.
          onInteractOutside={(event) => isTouched && event.preventDefault()}
          className={classNames(
            floatClass,
            'flex max-h-[var(--radix-popover-content-available-height)] w-90 max-w-[calc(100vw-1rem)] flex-col',
          )}
        >
          <form
            onSubmit={(event) => void save(event)}
            onChange={() => touch()}
            className="flex min-h-0 flex-1 flex-col"
          >
            <div className="flex items-center justify-between pt-3 pr-2 pl-4">
              <h2 className="text-[15px] font-semibold">{field === undefined ? 'New field' : 'Edit field'}</h2>
              <IconButton label="Close" onClick={onClose}>
                <X size={17} />
              </IconButton>
            </div>
            <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 pt-2 pb-4">
              <TextField
                label="Name"
                autoFocus
                maxLength={255}
                placeholder={fieldTypeOf(kind).label}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
              <TypeChoice
                type={kind}
                isOpen={isChoosing}
                onOpen={() => setChoosing(!isChoosing)}
                onType={(next, given) => {
                  setTouched(true);
                  chooseKind(next, given);
                }}
              />
              {!isChoosing && (
                <>
                  {Options !== undefined && (
                    <Options
                      key={kind}
                      tableId={tableId}
                      kind={kind}
                      field={field}
                      fields={fields}
                      recordId={recordId}
                      people={people}
                      name={name}
                      otherName={otherName}
                      onOtherName={setOtherName}
                      options={options}
                      onChange={changeOptions}
                      createsMissing={createsMissing}
                      onCreatesMissing={setCreatesMissing}
                      lookup={lookup}
                      onLookup={(next, source) => {
                        touch();
                        setLookup(next);
                        if (source !== undefined) setSourceType(source.type);
                      }}
                      onMakeLink={() => chooseKind('link')}
                      issue={issue}
                    />
                  )}
                  <FieldRules
                    type={kind}
                    options={options}
                    rules={rules}
                    people={people}
                    onRules={setRules}
                    onOptions={setOptions}
                  />
                </>
              )}
              {field !== undefined && isComplete && !linksByTitle && (
                <ConversionLoss
                  tableId={tableId}
                  field={field}
                  wanted={{ ...definition, ...habit }}
                  onDateOrder={setDateOrder}
                />
              )}
              {!isPlaced && <ProblemNote error={error} />}
            </div>
            <div className="flex justify-end gap-2 border-t border-line px-4 py-3">
              <Button size="small" onClick={onClose}>
                Cancel
              </Button>
              <Button size="small" look="primary" type="submit" busy={busy} disabled={!isComplete}>
                {field === undefined ? 'Add field' : 'Save'}
              </Button>
            </div>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
};
