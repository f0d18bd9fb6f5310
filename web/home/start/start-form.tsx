// Names a new base or table, and says what it begins with.
import { visitTemplate } from '@rowhouse/contract/template.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../app/call.ts';
import { Button } from '../../ui/button.tsx';
import { focusIfFree } from '../../ui/focus.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { publishedTemplatesQuery } from '../template/queries.ts';
import { SourceChoice } from './source-choice.tsx';
import type { Source } from './start-table.ts';

interface StartFormProps {
  label: string;
  placeholder: string;
  action: string;
  /** Chosen at first, when it is there. */
  templateId?: string | undefined;
  onCancel?: () => void;
  /** Ends with going there. */
  onStart: (name: string, source: Source) => Promise<unknown>;
}

export const StartForm = ({ label, placeholder, action, templateId, onCancel, onStart }: StartFormProps) => {
  const [name, setName] = useState('');
  // What was typed stays when another source is chosen; what came from one goes with it.
  const [isOwnName, setOwnName] = useState(false);
  const [source, setSource] = useState<Source>({ kind: 'blank' });
  const templates = useQuery({ ...publishedTemplatesQuery, enabled: templateId !== undefined }).data;
  const asked = templates?.find(({ id }) => id === templateId);
  const isAsked = useRef(false);
  useEffect(() => {
    if (asked === undefined || isAsked.current) return;
    isAsked.current = true;
    setSource({ kind: 'template', template: asked, withRecords: true });
    setName((before) => (before === '' ? (asked.name ?? '') : before));
    call(visitTemplate, { params: { templateId: asked.id } }).catch(() => undefined);
  }, [asked]);
  const start = useMutation({ mutationFn: () => onStart(name.trim(), source) });
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <TextField
        label={label}
        ref={focusIfFree}
        required
        maxLength={255}
        placeholder={placeholder}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setOwnName(event.target.value !== '');
        }}
      />
      <SourceChoice
        source={source}
        disabled={start.isPending}
        onSource={(next, suggested) => {
          setSource(next);
          if (!isOwnName) setName(suggested);
        }}
      />
      {source.kind === 'template' && (
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            disabled={start.isPending}
            checked={source.withRecords}
            onChange={(event) => setSource({ ...source, withRecords: event.target.checked })}
          />
          Include the sample records
        </label>
      )}
      <ProblemNote error={start.error} />
      <div className="flex items-center justify-end gap-2">
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button look="primary" type="submit" busy={start.isPending} disabled={name.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  );
};
