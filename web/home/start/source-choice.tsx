// What a new base or table begins with: nothing, a file, or a template.
import type { Template } from '@rowhouse/contract/template.ts';
import { useQuery } from '@tanstack/react-query';
import { FileUp, Sheet } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { BaseMark } from '../base-mark.tsx';
import { publishedTemplatesQuery } from '../template/queries.ts';
import { importableNames, titleOfFile } from '../../import/importable.ts';
import type { Source } from './start-table.ts';

interface SourceChoiceProps {
  source: Source;
  disabled?: boolean;
  /** With the name that goes with it. */
  onSource: (source: Source, name: string) => void;
}

interface CardProps {
  mark: ReactNode;
  title: string;
  meaning: string;
  /** The tables it brings. */
  tables?: readonly string[];
  isChosen: boolean;
  disabled: boolean;
  onPick: () => void;
}

const Mark = ({ isChosen, children }: { isChosen: boolean; children: ReactNode }) => (
  <span
    className={classNames(
      'flex size-9 shrink-0 items-center justify-center rounded-lg',
      isChosen ? 'bg-surface text-accent' : 'bg-sunken text-ink-soft',
    )}
    aria-hidden
  >
    {children}
  </span>
);

const Card = ({ mark, title, meaning, tables = [], isChosen, disabled, onPick }: CardProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    disabled={disabled}
    onClick={onPick}
    className={classNames(
      'flex items-start gap-3 rounded-xl border p-3 text-left transition-colors',
      isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-line-strong hover:bg-raised',
    )}
  >
    {mark}
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium">{title}</span>
      <span className="line-clamp-2 text-[13px] text-ink-soft">{meaning}</span>
      {tables.length > 0 && (
        <span className="mt-1.5 flex flex-wrap gap-1">
          {tables.slice(0, 4).map((name, index) => (
            <span key={index} className="max-w-32 truncate rounded-md bg-sunken px-1.5 text-[12px] text-ink-soft">
              {name}
            </span>
          ))}
          {tables.length > 4 && <span className="text-[12px] text-ink-soft">and {tables.length - 4} more</span>}
        </span>
      )}
    </span>
  </button>
);

/** So that what is below does not move when they are there: as many as come along. */
const placeholders = ['a', 'b', 'c', 'd', 'e'];

const Templates = ({
  chosenId,
  disabled,
  onPick,
}: {
  chosenId: string | undefined;
  disabled: boolean;
  onPick: (template: Template) => void;
}) => {
  const { data, isPending } = useQuery(publishedTemplatesQuery);
  if (isPending)
    return placeholders.map((key) => (
      <div key={key} aria-hidden className="h-[106px] rounded-xl border border-line bg-surface" />
    ));
  return (data ?? []).map((template) => (
    <Card
      key={template.id}
      mark={<BaseMark small id={template.id} name={template.name ?? ''} icon={template.icon} />}
      title={template.name ?? ''}
      meaning={template.description ?? ''}
      tables={template.tables.map(({ name }) => name)}
      isChosen={chosenId === template.id}
      disabled={disabled}
      onPick={() => onPick(template)}
    />
  ));
};

export const SourceChoice = ({ source, disabled = false, onSource }: SourceChoiceProps) => {
  const input = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.target.files ?? [];
    if (file !== undefined) onSource({ kind: 'file', file }, titleOfFile(file));
    event.target.value = '';
  };
  return (
    <div role="group" aria-label="Start with" className="grid gap-2.5 sm:grid-cols-2">
      <Card
        mark={
          <Mark isChosen={source.kind === 'blank'}>
            <Sheet size={18} />
          </Mark>
        }
        title="Empty table"
        meaning="Name, count and status"
        isChosen={source.kind === 'blank'}
        disabled={disabled}
        onPick={() => onSource({ kind: 'blank' }, '')}
      />
      <Card
        mark={
          <Mark isChosen={source.kind === 'file'}>
            <FileUp size={18} />
          </Mark>
        }
        title={source.kind === 'file' ? source.file.name : 'Import a file'}
        meaning="Excel, CSV, TSV or JSON"
        isChosen={source.kind === 'file'}
        disabled={disabled}
        onPick={() => input.current?.click()}
      />
      <Templates
        chosenId={source.kind === 'template' ? source.template.id : undefined}
        disabled={disabled}
        onPick={(template) => onSource({ kind: 'template', template, withRecords: true }, template.name ?? '')}
      />
      <input
        ref={input}
        type="file"
        accept={importableNames}
        aria-label="File to import"
        className="sr-only"
        tabIndex={-1}
        onChange={choose}
      />
    </div>
  );
};
