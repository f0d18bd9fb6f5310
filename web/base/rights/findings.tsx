// What in the rights of a base is probably not meant, for the eyes of those who manage them.
import { useQuery } from '@tanstack/react-query';
import { Lightbulb } from 'lucide-react';
import { Section } from '../../ui/section.tsx';
import { findingsQuery } from './queries.ts';

export const Findings = ({ baseId }: { baseId: string }) => {
  const { data: findings = [] } = useQuery(findingsQuery(baseId));
  if (findings.length === 0) return null;
  return (
    <Section title="Suggestions" lead="These settings work, but may not be what you meant.">
      <ul className="flex flex-col gap-2.5">
        {findings.map(({ kind, message, roleId, roleName, tableId, tableName, fieldId, fieldName, count }) => {
          const place = [roleName, tableName, fieldName].filter((part) => part !== undefined).join(' · ');
          return (
            <li key={[kind, roleId, tableId, fieldId].join(' ')} className="flex gap-2.5">
              <Lightbulb size={16} className="mt-0.5 shrink-0 text-ink-faint" aria-hidden />
              <p className="min-w-0 break-words">
                {(place !== '' || count !== undefined) && (
                  <strong className="font-medium">
                    {place}
                    {count !== undefined && `${count} ${count === 1 ? 'member' : 'members'}`}:{' '}
                  </strong>
                )}
                {message}
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
};
