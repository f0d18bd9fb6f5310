// A base of Airtable or Teable: the key, then which base, then how far it is, then what was left out.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { importFrom, listOtherBases } from '@rowhouse/contract/import-from.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { awaitJob } from '../../app/await-job.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Space } from '../spaces-query.ts';
import { ImportReport, type ImportedBase } from './import-report.tsx';

type KeySource = BodyOf<typeof listOtherBases>['source'];

const words = {
  airtable: {
    key: 'Personal access token',
    hint: 'Create one in Airtable’s builder hub, with the scopes schema.bases:read and data.records:read for the base.',
  },
  teable: {
    key: 'Access token',
    hint: 'Create one in the settings of your account there, with the right to read bases, tables, fields, views and records.',
  },
};

export const ImportFrom = ({
  service,
  spaces,
  onClose,
}: {
  service: 'airtable' | 'teable';
  spaces: readonly Space[];
  onClose: () => void;
}) => {
  const navigate = useNavigate();
  const [url, setUrl] = useState('https://app.teable.io');
  const [key, setKey] = useState('');
  const [spaceId, setSpaceId] = useState(spaces[0]?.id ?? '');
  const [baseId, setBaseId] = useState('');
  const [done, setDone] = useState(0);
  const source = (): KeySource =>
    service === 'airtable'
      ? { type: 'airtable', apiKey: key.trim() }
      : { type: 'teable', url: url.trim(), token: key.trim() };
  const bases = useMutation({
    mutationFn: async () => (await call(listOtherBases, { body: { spaceId, source: source() } })).bases,
    onSuccess: (found) => setBaseId(found[0]?.id ?? ''),
  });
  const start = useMutation({
    mutationFn: async () => {
      setDone(0);
      const { id } = await call(importFrom, { body: { spaceId, source: { ...source(), baseId } } });
      const made = await awaitJob<ImportedBase>(id, setDone);
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]) === 'bases' });
      return made;
    },
  });

  if (start.data !== undefined) {
    const { data } = start;
    return (
      <ImportReport
        imported={data}
        onOpen={() => {
          onClose();
          void navigate({ to: '/base/$baseId', params: { baseId: data.baseId } });
        }}
      />
    );
  }
  const forget = (): void => bases.reset();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (bases.data === undefined) bases.mutate();
        else start.mutate();
      }}
    >
      {service === 'teable' && (
        <TextField
          label="Address"
          type="url"
          required
          value={url}
          onChange={(event) => (setUrl(event.target.value), forget())}
          hint="Address of the other server. It must be reachable from this one."
        />
      )}
      <TextField
        label={words[service].key}
        hint={words[service].hint}
        type="password"
        autoComplete="off"
        required
        value={key}
        onChange={(event) => (setKey(event.target.value), forget())}
      />
      {bases.data !== undefined &&
        (bases.data.length === 0 ? (
          <p role="alert">This token has no access to any base.</p>
        ) : (
          <SelectField
            label="Base"
            value={baseId}
            options={bases.data.map(({ id, name }) => ({ value: id, label: name }))}
            onValue={setBaseId}
          />
        ))}
      {bases.data !== undefined && spaces.length > 1 && (
        <SelectField
          label="Space"
          value={spaceId}
          options={spaces.map(({ id, name }) => ({ value: id, label: name }))}
          onValue={setSpaceId}
        />
      )}
      <ProblemNote error={bases.error ?? start.error} />
      <div className="flex items-center justify-end gap-3">
        {start.isPending && (
          <p role="status" className="text-ink-soft">
            {done.toLocaleString()} records so far. You can close this. The base appears when it is ready.
          </p>
        )}
        <Button
          look="primary"
          type="submit"
          busy={bases.isPending || start.isPending}
          disabled={key.trim() === '' || bases.data?.length === 0}
        >
          {bases.data === undefined ? 'Show bases' : 'Import'}
        </Button>
      </div>
    </form>
  );
};
