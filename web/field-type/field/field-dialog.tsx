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
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { floatClass } from '../../ui/popover.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { type FieldKind, fieldTypeInfo, kindOfField } from '../field-type.ts';
import { linkOptionsOf } from '../link/linked.ts';
import { fieldsQuery } from '../../record-data/queries.ts';
import { changeField } from './change-field.ts';
import { ConversionLoss } from './conversion-loss.tsx';
import { FieldOptions } from './field-options.tsx';
import { LinkOptions } from './link-options.tsx';
import { isByCondition, LookupOptions, linksIn } from './lookup-options.tsx';
import { FieldRules, type Rules, rulesOf, withRules } from './field-rules.tsx';
import { TypeChoice } from './type-choice.tsx';

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

/** Of a lookup only how it shows things is its own; the rest is of the field that it shows. */
const ownOptions = ({ type, isLookup, options }: Field): Record<string, unknown> => {
  if (isLookup !== true && type === 'conditionalRollup') {
    const {
      foreignTableId: _table,
      lookupFieldId: _field,
      filter: _filter,
      sort: _sort,
      limit: _limit,
      ...rest
    } = options;
    return rest;
  }
  if (isLookup !== true) return options;
  const { formatting, showAs } = options;
  return { ...(formatting === undefined ? {} : { formatting }), ...(showAs === undefined ? {} : { showAs }) };
};

/** To people a rollup by a condition is a rollup. */
const kindOf = (field: Field): FieldKind =>
  kindOfField(field) === 'conditionalRollup' ? 'rollup' : kindOfField(field);

const asked = ['linkFieldId', 'foreignTableId', 'lookupFieldId', 'filter', 'sort', 'limit'] as const;

/** What a lookup shows, without what the server adds. */
const askedOf = (field: Field | undefined): Lookup => {
  const given =
    field === undefined ? {} : kindOfField(field) === 'conditionalRollup' ? field.options : (field.lookupOptions ?? {});
  return Object.fromEntries(asked.flatMap((key) => (given[key] == null ? [] : [[key, given[key]]])));
};

/** Where in the dialog a fault can be shown beside what is wrong. */
const lookupPlaces = [
  'lookupOptions.linkFieldId',
  'lookupOptions.foreignTableId',
  'lookupOptions.lookupFieldId',
  'lookupOptions.filter',
  'lookupOptions.sort.fieldId',
  'lookupOptions.limit',
  'options.expression',
];
const placesOfIssues: Partial<Record<FieldKind, readonly string[]>> = {
  link: ['options.foreignTableId', 'options.relationship', 'options.isOneWay', 'options.filterByViewId'],
  lookup: [...lookupPlaces, 'type'],
  rollup: lookupPlaces,
  count: lookupPlaces,
};

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
  const [kind, setKind] = useState<FieldKind>(field === undefined ? 'singleLineText' : kindOf(field));
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
  const [dateOrder, setDateOrder] = useState(() => orderOfLocale(navigator.language));
  const [isTouched, setTouched] = useState(false);

  const chooseKind = (next: FieldKind): void => {
    const isOld = field !== undefined && next === kindOf(field);
    const [link, second] = linksIn(fields);
    setKind(next);
    setOptions(isOld ? ownOptions(field) : next === 'count' ? { formatting: { type: 'decimal', precision: 0 } } : {});
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
  const type: FieldTypeName = kind === 'lookup' ? sourceType : kind;
  const looksUp = kind === 'lookup' || kind === 'rollup' || kind === 'count';
  // Records are found by a condition instead of a link.
  const isConditional = looksUp && isByCondition(lookup);
  const isFound = isConditional ? lookup.foreignTableId !== '' && kind !== 'count' : lookup.linkFieldId !== undefined;
  const isComplete = looksUp
    ? isFound &&
      (kind === 'count' || lookup.lookupFieldId !== undefined) &&
      (kind !== 'rollup' || options['expression'] !== undefined)
    : (kind !== 'link' || options['foreignTableId'] !== undefined) &&
      (kind !== 'formula' || (typeof options['expression'] === 'string' && options['expression'].trim() !== ''));
  const definition = looksUp
    ? {
        type: isConditional && kind === 'rollup' ? ('conditionalRollup' as const) : type,
        options,
        lookupOptions: lookup,
        ...(kind === 'lookup' ? { isLookup: true, isConditionalLookup: isConditional } : {}),
      }
    : { type: kind, ...withRules(kind, options, rules) };
  const habit = kind === 'date' && field?.type !== 'date' ? { dateOrder } : {};
  const issue = (path: string): string | undefined => {
    const found = issuesOf(error).find((one) => one.path === path || one.path === `body.${path}`);
    return found === undefined ? undefined : sentence(found.message);
  };
  const isPlaced = error !== null && placesOfIssues[kind]?.some((path) => issue(path) !== undefined) === true;

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
      const { foreignTableId, symmetricFieldId } = linkOptionsOf(made);
      if (kind !== 'link') return;
      if (symmetricFieldId !== undefined && otherName.trim() !== '')
        await call(updateField, {
          params: { tableId: foreignTableId, fieldId: symmetricFieldId },
          body: { name: otherName.trim() },
        });
      await queryClient.invalidateQueries({ queryKey: fieldsQuery(foreignTableId).queryKey });
      return;
    }
    await changeField(tableId, field, { ...withoutSame(body, field), ...habit });
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
          side="right"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={field === undefined ? 'New field' : `Edit ${field.name}`}
          // What was entered is not lost to a click beside it.
          onInteractOutside={(event) => isTouched && event.preventDefault()}
          className={classNames(floatClass, 'flex max-h-[var(--radix-popover-content-available-height)] w-90 flex-col')}
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
                placeholder={fieldTypeInfo(kind).label}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
              <TypeChoice
                type={kind}
                isOpen={isChoosing}
                onOpen={() => setChoosing(!isChoosing)}
                onType={(next) => {
                  setTouched(true);
                  chooseKind(next);
                }}
              />
              {!isChoosing && (
                <>
                  {kind === 'link' && (
                    <LinkOptions
                      tableId={tableId}
                      field={field}
                      name={name}
                      options={options}
                      otherName={otherName}
                      issue={issue}
                      onOtherName={setOtherName}
                      onChange={changeOptions}
                    />
                  )}
                  {looksUp && (
                    <LookupOptions
                      kind={kind}
                      fields={fields}
                      lookup={lookup}
                      options={options}
                      people={people}
                      issue={issue}
                      onLookup={(next, source) => {
                        touch();
                        setLookup(next);
                        if (source !== undefined) setSourceType(source.type);
                      }}
                      onOptions={changeOptions}
                      onMakeLink={() => chooseKind('link')}
                    />
                  )}
                  {!looksUp && kind !== 'link' && (
                    <FieldOptions
                      tableId={tableId}
                      type={kind}
                      field={field}
                      fields={fields}
                      recordId={recordId}
                      options={options}
                      onChange={changeOptions}
                    />
                  )}
                  <FieldRules
                    type={kind === 'lookup' ? 'rollup' : kind}
                    options={options}
                    rules={rules}
                    people={people}
                    isMultiple={options['isMultiple'] === true}
                    onRules={setRules}
                    onOptions={setOptions}
                  />
                </>
              )}
              {field !== undefined && isComplete && (
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
