// Tries the draft with a record, and shows exactly what would change. Nothing does.
import { type AutomationChange, testAutomation, type TestResult } from '@rowhouse/contract/automation.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { CellValue } from '../field-type/cell/cell-value.tsx';
import { recordsKey } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { FieldsOf } from './sources.ts';
import { fieldNames } from './named.ts';
import { StepResults } from './step-results.tsx';

interface TestSectionProps {
  baseId: string;
  automationId: string;
  /** Of the record that starts it. */
  tableId: string | undefined;
  tables: readonly Table[];
  fieldsOf: FieldsOf;
  /** The draft is with the server. */
  settled: () => Promise<void>;
}

const kindWords: Record<AutomationChange['kind'], string> = {
  created: 'would be created',
  updated: 'would change',
  deleted: 'would be deleted',
  commented: 'would get a comment',
  computed: 'would follow',
};

const Change = ({
  change,
  tables,
  fieldsOf,
}: { change: AutomationChange } & Pick<TestSectionProps, 'tables' | 'fieldsOf'>) => {
  const fields = fieldsOf(change.tableId);
  const ids = [...new Set([...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})])];
  return (
    <li className="rounded-lg border border-line p-3">
      <p>
        <strong className="font-medium">
          A record in {tables.find(({ id }) => id === change.tableId)?.name ?? 'another table'}
        </strong>{' '}
        {kindWords[change.kind]}
      </p>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-[13px] empty:hidden">
        {ids.map((id) => {
          const field = fields.find((one) => one.id === id);
          if (field === undefined) return null;
          return (
            <div key={id} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-ink-faint">{field.name}</dt>
              <dd className="flex flex-wrap items-center gap-2">
                {change.kind === 'updated' && (
                  <>
                    <span className="text-ink-faint line-through">
                      <CellValue field={field} value={change.before?.[id] ?? null} />
                    </span>
                    →{' '}
                  </>
                )}
                <CellValue field={field} value={(change.after ?? change.before)?.[id] ?? null} />
              </dd>
            </div>
          );
        })}
      </dl>
    </li>
  );
};

const Outcome = ({
  result,
  tables,
  fieldsOf,
}: { result: TestResult } & Pick<TestSectionProps, 'tables' | 'fieldsOf'>) => (
  <div className="flex flex-col gap-4" role="status">
    {result.error !== undefined && <p className="rounded-lg bg-danger-soft px-3 py-2 text-danger">{result.error}</p>}
    <p className="text-ink-soft">
      {result.changes.length === 0
        ? 'No record would change. Nothing was sent.'
        : 'This would change. Nothing has changed, and nothing was sent.'}
    </p>
    <ul aria-label="What would change" className="flex flex-col gap-2 empty:hidden">
      {result.changes.map((change, at) => (
        <Change key={at} change={change} tables={tables} fieldsOf={fieldsOf} />
      ))}
    </ul>
    <StepResults
      steps={result.steps}
      names={fieldNames(
        tables.map(({ id }) => id),
        fieldsOf,
      )}
    />
  </div>
);

export const TestSection = ({ baseId, automationId, tableId, tables, fieldsOf, settled }: TestSectionProps) => {
  const [recordId, setRecordId] = useState('');
  const records = useQuery({
    queryKey: [...recordsKey(tableId ?? ''), 'to test with'],
    enabled: tableId !== undefined,
    queryFn: ({ signal }) =>
      call(listRecords, {
        params: { tableId: tableId as string },
        query: { take: 200, fieldKeyType: 'id', withGroups: false },
        signal,
      }),
  }).data?.records;
  const test = useMutation({
    mutationFn: async () => {
      await settled();
      return call(testAutomation, {
        params: { baseId, automationId },
        body: recordId === '' ? {} : { recordId },
      });
    },
  });
  return (
    <Section title="Try it" lead="Shows what would happen. Nothing is changed or sent.">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end gap-3">
          {tableId !== undefined && (
            <SelectField
              label="With the record"
              className="min-w-0 flex-1 basis-60"
              value={recordId}
              options={[
                { value: '', label: 'The first one' },
                ...(records ?? []).map(({ id, name }) => ({ value: id, label: name ?? 'Unnamed record' })),
              ]}
              onValue={setRecordId}
            />
          )}
          <Button icon={<FlaskConical size={16} />} busy={test.isPending} onClick={() => test.mutate()}>
            Try it
          </Button>
        </div>
        <ProblemNote error={test.error} />
        {test.data !== undefined && <Outcome result={test.data} tables={tables} fieldsOf={fieldsOf} />}
      </div>
    </Section>
  );
};
