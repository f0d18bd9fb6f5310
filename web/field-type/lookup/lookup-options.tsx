// Lookups, rollups and counts: chosen by going along the link, from the link field to the field there to what is made of it.
import { type Field, kindOf, type LookupOptions as Lookup } from '@rowhouse/contract/field.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Link2, ListFilter } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { fieldOption } from '../field-types.ts';
import { isUsableLink, leadsToSeveral, linkOptionsOf } from '../link/linked.ts';
import { fieldsQuery, tablesQuery } from '../../record-data/queries.ts';
import { DateOptions } from '../date/date-options.tsx';
import { LookupTerms } from './lookup-terms.tsx';
import { NumberOptions } from '../number/number-options.tsx';
import { expressionOf, functionIn, functionsFor, type Result, rollupResult } from '../rollup/rollup.ts';
import { ShowAs } from '../option/show-as.tsx';
import type { FormProps } from '../option/field-form.ts';

export const linksIn = (fields: readonly Field[]): Field[] => fields.filter(isUsableLink);

/** Chosen in place of a link. */
const noLink = 'condition';
const byCondition: Lookup = { foreignTableId: '' };

/** Without a link: records are found by a condition, in a table that may not be chosen yet. */
export const isByCondition = ({ linkFieldId, foreignTableId }: Lookup): boolean =>
  linkFieldId === undefined && foreignTableId !== undefined;

const withoutFormat = ({
  formatting: _formatting,
  showAs: _showAs,
  ...rest
}: Record<string, unknown>): Record<string, unknown> => rest;

export const LookupOptions = ({
  kind,
  fields,
  lookup,
  options,
  people,
  issue,
  onLookup,
  onChange,
  onMakeLink,
}: FormProps) => {
  const { baseId = '' } = useParams({ strict: false });
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const links = linksIn(fields);
  const link = links.find(({ id }) => id === lookup.linkFieldId);
  const isConditional = isByCondition(lookup);
  const foreignTableId = link === undefined ? lookup.foreignTableId || undefined : linkOptionsOf(link).foreignTableId;
  const there = tables.find(({ id }) => id === foreignTableId)?.name ?? 'the other table';
  const foreign = useQuery({ ...fieldsQuery(foreignTableId ?? ''), enabled: foreignTableId !== undefined }).data ?? [];
  const source = foreign.find(({ id }) => id === lookup.lookupFieldId);
  const chosen = functionIn(options['expression']);

  if (links.length === 0 && !isConditional) {
    return (
      <div className="flex flex-col items-start gap-2 rounded-lg bg-sunken px-3 py-2.5">
        <p>This table has no link field yet. Create one to show values of linked records.</p>
        <Button size="small" icon={<Link2 size={15} />} onClick={onMakeLink}>
          Create a link instead
        </Button>
        {kind !== 'count' && (
          <Button
            size="small"
            look="ghost"
            icon={<ListFilter size={15} />}
            onClick={() => onLookup(byCondition, undefined)}
          >
            Find records by a condition
          </Button>
        )}
      </div>
    );
  }
  const result: Result | undefined =
    kind === 'count'
      ? { kind: 'number', isList: false }
      : source === undefined
        ? undefined
        : kind === 'rollup'
          ? chosen === undefined
            ? undefined
            : rollupResult(chosen, source.cellValueType)
          : {
              kind: source.cellValueType,
              isList:
                isConditional || (link !== undefined && leadsToSeveral(link)) || source.isMultipleCellValue === true,
            };
  // What a lookup does not say itself is as in the field that it shows.
  const shown =
    kind === 'lookup' && source !== undefined
      ? {
          ...(source.options['formatting'] === undefined ? {} : { formatting: source.options['formatting'] }),
          ...options,
        }
      : options;
  const hasFormat = kind !== 'lookup' || source === undefined || source.options['formatting'] !== undefined;
  const filesLeftOut = (field: Field): boolean =>
    kindOf(field) !== 'file' || (kind === 'rollup' && chosen?.startsWith('count') === true);
  return (
    <>
      <SelectField
        label="Linked field"
        value={isConditional ? noLink : (link?.id ?? '')}
        placeholder="Choose a link field…"
        options={[
          ...links.map((field) => ({
            ...fieldOption(field),
            note: `to ${tables.find(({ id }) => id === linkOptionsOf(field).foreignTableId)?.name ?? 'another table'}`,
          })),
          ...(kind === 'count' ? [] : [{ value: noLink, label: 'Match by condition', icon: ListFilter }]),
        ]}
        error={
          issue('lookupOptions.linkFieldId') ?? (isConditional ? undefined : issue('lookupOptions.foreignTableId'))
        }
        onValue={(linkFieldId) => {
          if (linkFieldId === noLink) return onLookup(byCondition, undefined);
          const next = links.find(({ id }) => id === linkFieldId);
          onLookup(
            { linkFieldId, ...(next === undefined ? {} : { foreignTableId: linkOptionsOf(next).foreignTableId }) },
            undefined,
          );
          onChange(withoutFormat(options));
        }}
      />
      {isConditional && (
        <SelectField
          label="Which table?"
          value={lookup.foreignTableId ?? ''}
          placeholder="Choose a table…"
          options={tables.map(({ id, name }) => ({ value: id, label: name }))}
          error={issue('lookupOptions.foreignTableId')}
          onValue={(id) => {
            onLookup({ foreignTableId: id }, undefined);
            onChange(withoutFormat(options));
          }}
        />
      )}
      {kind !== 'count' && foreignTableId !== undefined && (
        <SelectField
          label={`Which field of ${there}?`}
          value={source?.id ?? ''}
          placeholder="Choose a field…"
          options={foreign.filter((field) => field.hasError !== true && filesLeftOut(field)).map(fieldOption)}
          error={issue('lookupOptions.lookupFieldId') ?? (kind === 'lookup' ? issue('type') : undefined)}
          onValue={(lookupFieldId) => {
            const next = foreign.find(({ id }) => id === lookupFieldId);
            onLookup({ ...lookup, lookupFieldId }, next);
            const isUsable =
              kind === 'rollup' &&
              next !== undefined &&
              chosen !== undefined &&
              rollupResult(chosen, next.cellValueType) !== undefined;
            onChange(
              kind === 'rollup' && !isUsable && next !== undefined
                ? { expression: expressionOf(functionsFor(next)[0]?.name ?? 'counta') }
                : withoutFormat(options),
            );
          }}
        />
      )}
      {kind === 'rollup' && source !== undefined && (
        <SelectField
          label="Summarise with"
          value={chosen ?? ''}
          placeholder="Choose a function…"
          options={functionsFor(source).map(({ name, label, note }) => ({ value: name, label, note }))}
          error={issue('options.expression')}
          onValue={(name) => onChange({ ...withoutFormat(options), expression: `${name}({values})` })}
        />
      )}
      {(source !== undefined || (kind === 'count' && link !== undefined)) && foreign.length > 0 && (
        <LookupTerms
          lookup={lookup}
          foreign={foreign}
          there={there}
          hosts={isConditional ? fields : undefined}
          isOrdered={kind !== 'count' && (isConditional || (link !== undefined && leadsToSeveral(link)))}
          people={people}
          issue={issue}
          onChange={(next) => onLookup(next, undefined)}
        />
      )}
      {kind === 'lookup' && source !== undefined && (link !== undefined || isConditional) && (
        <p className="rounded-lg bg-sunken px-3 py-2 text-ink-soft">
          Shows {source.name} of{' '}
          {link === undefined
            ? `the records of ${there} that meet the conditions`
            : leadsToSeveral(link)
              ? `linked records of ${there}`
              : `the linked record of ${there}`}
          . It updates automatically.
        </p>
      )}
      {result?.kind === 'number' && hasFormat && <NumberOptions options={shown} onChange={onChange} />}
      {result?.kind === 'dateTime' && hasFormat && <DateOptions options={shown} onChange={onChange} />}
      {result !== undefined && hasFormat && result.kind === 'number' && (
        <ShowAs kind={result.kind} isList={result.isList} options={shown} onChange={onChange} />
      )}
    </>
  );
};
