import type { Field } from '@rowhouse/contract/field.ts';
import { Section } from '../ui/section.tsx';

const headClass = 'py-2 pr-4 text-left text-[13px] font-medium text-ink-faint';
const cellClass = 'py-2 pr-4 align-top';

export const FieldTable = ({ tableId, fields }: { tableId: string; fields: readonly Field[] }) => (
  <Section
    title="Fields"
    lead={
      <>
        Keys of <code className="font-mono text-[13px]">fields</code> are names; with{' '}
        <code className="font-mono text-[13px]">fieldKeyType</code> they can be ids or columns. The table is{' '}
        <code className="font-mono text-[13px]">{tableId}</code>.
      </>
    }
  >
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Fields">
      <table className="w-full min-w-[34rem]">
        <thead>
          <tr className="border-b border-line">
            <th className={headClass}>Name</th>
            <th className={headClass}>Type</th>
            <th className={headClass}>Id</th>
            <th className={headClass}>Column</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {fields.map((field) => (
            <tr key={field.id}>
              <td className={`${cellClass} font-medium break-words`}>{field.name}</td>
              <td className={cellClass}>{field.type}</td>
              <td className={`${cellClass} font-mono text-[12.5px]`}>{field.id}</td>
              <td className={`${cellClass} font-mono text-[12.5px] break-all`}>{field.dbFieldName}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Section>
);
