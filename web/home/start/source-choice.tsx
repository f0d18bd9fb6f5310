// What a new table begins with.
import { FileUp, Sheet } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { type Source, titleOf } from './start-table.ts';
import { templates } from './templates.ts';

export interface SourceChoiceProps {
  source: Source;
  disabled?: boolean;
  /** With the name that goes with it. */
  onSource: (source: Source, name: string) => void;
}

const Card = ({ icon, title, meaning, isChosen, disabled, onPick }: { icon: ReactNode; title: string; meaning: string; isChosen: boolean; disabled: boolean; onPick: () => void }) => (
  <button
    type="button"
    aria-pressed={isChosen}
    disabled={disabled}
    onClick={onPick}
    className={classNames('flex items-center gap-3 rounded-xl border p-3 text-left transition-colors', isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-line-strong hover:bg-raised')}
  >
    <span className={classNames('flex size-9 shrink-0 items-center justify-center rounded-lg', isChosen ? 'bg-surface text-accent' : 'bg-sunken text-ink-soft')} aria-hidden>
      {icon}
    </span>
    <span className="min-w-0">
      <span className="block truncate font-medium">{title}</span>
      <span className="block text-[13px] text-ink-soft">{meaning}</span>
    </span>
  </button>
);

export const SourceChoice = ({ source, disabled = false, onSource }: SourceChoiceProps) => {
  const input = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.target.files ?? [];
    if (file !== undefined) onSource({ kind: 'file', file }, titleOf(file));
    event.target.value = '';
  };
  return (
    <div role="group" aria-label="Start with" className="grid gap-2.5 sm:grid-cols-2">
      <Card icon={<Sheet size={18} />} title="Empty table" meaning="Name, count and status" isChosen={source.kind === 'blank'} disabled={disabled} onPick={() => onSource({ kind: 'blank' }, '')} />
      <Card
        icon={<FileUp size={18} />}
        title={source.kind === 'file' ? source.file.name : 'Import a file'}
        meaning="CSV, or TSV from a spreadsheet"
        isChosen={source.kind === 'file'}
        disabled={disabled}
        onPick={() => input.current?.click()}
      />
      {templates.map((template) => (
        <Card key={template.id} icon={<template.icon size={18} />} title={template.name} meaning={template.meaning} isChosen={source.kind === 'template' && source.template.id === template.id} disabled={disabled} onPick={() => onSource({ kind: 'template', template }, template.name)} />
      ))}
      <input ref={input} type="file" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values" aria-label="File to import" className="sr-only" tabIndex={-1} onChange={choose} />
    </div>
  );
};
