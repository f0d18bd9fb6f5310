// Makes a chart, or changes one: what is chosen on one side is seen at once on the other.
import type { Chart, ChartType } from '@rowhouse/contract/chart.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { queryClient } from '../../app/query-client.ts';
import { DraftFilter } from '../../field-type/filter/draft-filter.tsx';
import { MarkdownView } from '../../field-type/long-text/markdown-view.tsx';
import { type BasePerson, fieldsQuery, viewsQuery } from '../../record-data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type ChartDraft, chartOf, draftOf, newDraft, withTable, withType } from '../chart-draft.ts';
import { chartTypeWords, offeredTypes } from '../chart-types.ts';
import { ChartView, Waiting } from '../chart-view.tsx';
import { measureName } from '../measure-words.ts';
import { previewQuery } from '../queries.ts';
import { DataFields } from './data-fields.tsx';
import { LookFields } from './look-fields.tsx';

interface ChartEditorProps {
  baseId: string;
  tables: readonly Table[];
  people: readonly BasePerson[];
  /** What is changed; absent for a new one. */
  existing: { name: string; chart: Chart | undefined } | undefined;
  onSave: (name: string, chart: Chart) => Promise<unknown>;
  onClose: () => void;
}

const noFields: readonly Field[] = [];
const settleAfter = 250;

/** What was chosen, once nothing more has been chosen for a moment. */
const useSettled = <T,>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleAfter);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};

const TypeChoice = ({ value, onValue }: { value: ChartType; onValue: (type: ChartType) => void }) => (
  <fieldset>
    <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">Type</legend>
    <div className="grid grid-cols-3 gap-1.5 sm:grid-cols-4">
      {offeredTypes.map((type) => {
        const { label, meaning, icon: Icon } = chartTypeWords[type];
        return (
          <label
            key={type}
            title={meaning}
            className={classNames(
              'flex cursor-pointer flex-col items-center gap-1 rounded-lg border px-1 py-2 text-center text-[12px] leading-4 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              type === value
                ? 'border-accent bg-accent-soft font-medium text-accent'
                : 'border-line text-ink-soft hover:bg-sunken hover:text-ink',
            )}
          >
            <input
              type="radio"
              name="chart-type"
              value={type}
              checked={type === value}
              onChange={() => onValue(type)}
              className="sr-only"
            />
            <Icon size={18} aria-hidden />
            {label}
          </label>
        );
      })}
    </div>
  </fieldset>
);

/** "Sum of Amount by Stage", until somebody writes something else. */
const titleOf = (draft: ChartDraft, fields: readonly Field[], tables: readonly Table[]): string => {
  const table = tables.find(({ id }) => id === draft.tableId)?.name ?? 'Records';
  if (draft.type === 'text') return 'Text';
  if (draft.type === 'records') return table;
  const nameOf = (id: string | undefined): string => fields.find((field) => field.id === id)?.name ?? '';
  if (draft.type === 'scatter') return `${nameOf(draft.y)} against ${nameOf(draft.x)}`;
  const [first] = draft.measures;
  const value =
    first === undefined || (first.statistic === 'count' && !first.label)
      ? table
      : measureName(
          first,
          fields.find(({ id }) => id === first.fieldId),
        );
  if (draft.type === 'number') return value;
  const group = draft.type === 'pivot' || draft.type === 'heatMap' ? draft.rows[0]?.fieldId : draft.group.fieldId;
  return `${value} by ${nameOf(group)}`;
};

const Preview = ({ baseId, name, draft }: { baseId: string; name: string; draft: ChartDraft }) => {
  const settled = useSettled(draft);
  const chart = useMemo(() => chartOf(settled), [settled]);
  const answer = useQuery(previewQuery(baseId, chart?.type === 'text' ? undefined : chart));
  const title = useDeferredValue(name);
  const shown = useMemo(
    () => (chart === undefined ? undefined : { name: title, type: chart.type, look: chart.look ?? {} }),
    [chart, title],
  );
  if (draft.type === 'text')
    return draft.text === '' ? (
      <p className="text-ink-faint">What you write is shown here.</p>
    ) : (
      <MarkdownView text={draft.text} names={[]} />
    );
  if (chart === undefined || shown === undefined)
    return <p className="text-ink-soft">Choose what is missing to see the chart.</p>;
  if (answer.error !== null) return <ProblemNote error={answer.error} />;
  // The answer to another type, until its own is there.
  if (answer.data === undefined || (answer.isPlaceholderData && answer.data.kind !== kindOfType(chart.type)))
    return <Waiting />;
  return <ChartView shown={shown} data={answer.data} asTable={false} onPick={undefined} onOpen={undefined} />;
};

const kindOfType = (type: ChartType): string => {
  if (type === 'scatter') return 'points';
  return type === 'number' || type === 'pivot' || type === 'records' || type === 'text' ? type : 'groups';
};

export const ChartEditor = ({ baseId, tables, people, existing, onSave, onClose }: ChartEditorProps) => {
  const [firstTable] = tables;
  const ownTable = existing?.chart !== undefined && 'tableId' in existing.chart ? existing.chart.tableId : undefined;
  const tableOfDraft = ownTable ?? firstTable?.id ?? '';
  const [draft, setDraft] = useState<ChartDraft>();
  const [typedName, setTypedName] = useState<string | undefined>(existing?.name);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [part, setPart] = useState<'data' | 'look'>('data');
  const tableId = draft?.tableId ?? tableOfDraft;
  const fields = useQuery({ ...fieldsQuery(tableId), enabled: tableId !== '' }).data;
  const views = useQuery({ ...viewsQuery(tableId), enabled: tableId !== '' }).data ?? [];

  // It begins when it is known what the table has.
  useEffect(() => {
    if (draft !== undefined || (fields === undefined && tableId !== '')) return;
    setDraft(
      existing?.chart === undefined
        ? newDraft(tableId === '' ? 'text' : 'bar', tableId, fields ?? noFields)
        : draftOf(existing.chart, fields ?? noFields),
    );
  }, [draft, fields, existing, tableId]);

  const change = (more: Partial<ChartDraft>): void => setDraft((before) => before && { ...before, ...more });
  const chooseTable = async (id: string): Promise<void> => {
    const next = await queryClient.ensureQueryData(fieldsQuery(id));
    setDraft((before) => before && withTable(before, id, next));
  };
  const chart = draft === undefined ? undefined : chartOf(draft);
  const name = typedName ?? (draft === undefined ? '' : titleOf(draft, fields ?? noFields, tables));
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (chart === undefined) return;
    setBusy(true);
    setError(null);
    try {
      await onSave(name.trim() === '' ? chartTypeWords[chart.type].label : name.trim(), chart);
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const isText = draft?.type === 'text';
  return (
    <Dialog open onClose={onClose} wide="beside" title={existing === undefined ? 'Add to the dashboard' : 'Edit chart'}>
      {draft === undefined ? (
        <div className="h-80">
          <Waiting />
        </div>
      ) : (
        <form
          onSubmit={(event) => void save(event)}
          className="grid min-h-0 gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]"
        >
          <section
            aria-label="Preview"
            className="flex h-72 min-w-0 flex-col rounded-2xl border border-line bg-surface p-4 lg:sticky lg:top-0 lg:h-[26rem]"
          >
            {!isText && <h3 className="mb-2 truncate font-semibold">{name}</h3>}
            <div className="min-h-0 flex-1 overflow-auto">
              <Preview baseId={baseId} name={name} draft={draft} />
            </div>
          </section>
          <div className="flex min-w-0 flex-col gap-4">
            <TypeChoice value={draft.type} onValue={(type) => setDraft(withType(draft, type, fields ?? noFields))} />
            <TextField
              label="Title"
              maxLength={255}
              value={name}
              onChange={(event) => setTypedName(event.target.value)}
            />
            {isText && (
              <TextAreaField
                label="Text"
                required
                rows={8}
                maxLength={20_000}
                placeholder={'## Goals of this quarter\n- **20** new customers'}
                value={draft.text}
                onChange={(event) => change({ text: event.target.value })}
              />
            )}
            {!isText && (
              <div role="tablist" aria-label="Settings of the chart" className="flex gap-4 border-b border-line">
                {(['data', 'look'] as const).map((one) => (
                  <button
                    key={one}
                    type="button"
                    role="tab"
                    id={`chart-tab-${one}`}
                    aria-selected={part === one}
                    aria-controls="chart-tab"
                    onClick={() => setPart(one)}
                    className={classNames(
                      'border-b-2 px-1 pb-2 font-medium',
                      part === one ? 'border-accent text-ink' : 'border-transparent text-ink-soft hover:text-ink',
                    )}
                  >
                    {one === 'data' ? 'Data' : 'Appearance'}
                  </button>
                ))}
              </div>
            )}
            {!isText && (
              <div role="tabpanel" id="chart-tab" aria-labelledby={`chart-tab-${part}`} className="flex flex-col gap-4">
                {part === 'data' ? (
                  <>
                    <div className="grid grid-cols-2 gap-2">
                      <SelectField
                        label="Table"
                        value={draft.tableId}
                        options={tables.map((table) => ({ value: table.id, label: table.name }))}
                        onValue={(id) => void chooseTable(id)}
                      />
                      <SelectField
                        label="View"
                        value={draft.viewId ?? ''}
                        options={[
                          { value: '', label: 'All records' },
                          ...views.map((view) => ({ value: view.id, label: view.name })),
                        ]}
                        onValue={(id) => change({ viewId: id === '' ? null : id })}
                      />
                    </div>
                    <DataFields draft={draft} fields={fields ?? noFields} onChange={change} />
                    <DraftFilter
                      key={draft.tableId}
                      label="Filter"
                      without={draft.viewId === null ? 'All records count.' : 'All records of the view count.'}
                      filter={draft.filter}
                      fields={fields ?? noFields}
                      people={people}
                      onChange={(filter) => change({ filter })}
                    />
                  </>
                ) : (
                  <>
                    <LookFields type={draft.type} look={draft.look} onChange={(look) => change({ look })} />
                    <TextField
                      label="Description"
                      maxLength={1_000}
                      value={draft.description}
                      onChange={(event) => change({ description: event.target.value })}
                    />
                  </>
                )}
              </div>
            )}
            <ProblemNote error={error} />
            <div className="sticky -bottom-5 -mx-1 -mb-5 flex justify-end gap-2 bg-raised px-1 pt-2 pb-5 sm:-bottom-6 sm:-mb-6 sm:pb-6">
              <Button onClick={onClose}>Cancel</Button>
              <Button look="primary" type="submit" busy={busy} disabled={chart === undefined}>
                {existing === undefined ? 'Add' : 'Save'}
              </Button>
            </div>
          </div>
        </form>
      )}
    </Dialog>
  );
};
