// What an application says about itself, for a new one and for one that is there.
import { type OauthClient, type OauthClientInput, oauthScopes } from '@rowhouse/contract/oauth.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { issuesOf, sentence } from '../ui/problem.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextAreaField } from '../ui/text-area-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { RedirectUrisField } from './redirect-uris-field.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { scopeGroupsOf } from './scope-words.ts';

const groups = scopeGroupsOf(oauthScopes);
const usual: readonly Action[] = ['record|read', 'table|read', 'field|read', 'view|read', 'base|read'];
/** The places that a problem can be shown at. */
const shown = /^(name|description|homepage|logo|redirectUris(\[\d+\])?)$/;

interface OauthAppFormProps {
  app?: OauthClient;
  action: string;
  onCancel?: () => void;
  /** What it throws is shown at the field it names, with the text kept. */
  onSubmit: (input: OauthClientInput) => Promise<unknown>;
}

export const OauthAppForm = ({ app, action, onCancel, onSubmit }: OauthAppFormProps) => {
  const [name, setName] = useState(app?.name ?? '');
  const [description, setDescription] = useState(app?.description ?? '');
  const [homepage, setHomepage] = useState(app?.homepage ?? '');
  const [logo, setLogo] = useState(app?.logo ?? '');
  const [uris, setUris] = useState<readonly string[]>(app?.redirectUris ?? ['']);
  const [scopes, setScopes] = useState<readonly string[]>(app?.scopes ?? usual);
  const [allowDeviceFlow, setAllowDeviceFlow] = useState(app?.allowDeviceFlow ?? false);
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation({ mutationFn: onSubmit, onSuccess: (_saved, sent) => setUris(sent.redirectUris) });

  const issues = issuesOf(save.error);
  const problemAt = (path: string): string | undefined => {
    const issue = issues.find((one) => one.path === path);
    return issue === undefined ? undefined : sentence(issue.message);
  };
  const hasOther = save.error !== null && (issues.length === 0 || issues.some(({ path }) => !shown.test(path)));
  useEffect(() => {
    if (save.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [save.error]);

  const submit = (): void => {
    const filled = uris.map((uri) => uri.trim()).filter((uri) => uri !== '');
    save.mutate({
      name: name.trim(),
      description: description.trim(),
      homepage: homepage.trim(),
      logo: logo.trim(),
      scopes: oauthScopes.filter((scope) => scopes.includes(scope)),
      redirectUris: filled.length === 0 ? [''] : filled,
      allowDeviceFlow,
    });
  };

  return (
    <form
      ref={form}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          autoFocus={app === undefined}
          required
          maxLength={255}
          placeholder="Report maker"
          value={name}
          error={problemAt('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Homepage"
          required
          inputMode="url"
          maxLength={2_000}
          placeholder="https://example.com"
          value={homepage}
          error={problemAt('homepage')}
          onChange={(event) => setHomepage(event.target.value)}
        />
      </div>
      <TextAreaField
        label="Description (optional)"
        maxLength={2_000}
        value={description}
        error={problemAt('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label="Logo (optional)"
        inputMode="url"
        maxLength={2_000}
        placeholder="https://example.com/logo.png"
        hint="Link to an image. Other apps may show it; Rowhouse itself loads nothing from other sites."
        value={logo}
        error={problemAt('logo')}
        onChange={(event) => setLogo(event.target.value)}
      />
      <RedirectUrisField
        uris={uris}
        onChange={setUris}
        problem={problemAt('redirectUris')}
        problemOf={(uri) => {
          // By what was sent, not by the row: rows come and go until the next try.
          const at = save.variables?.redirectUris.indexOf(uri.trim()) ?? -1;
          return at === -1 ? undefined : problemAt(`redirectUris[${at}]`);
        }}
      />
      <CheckField
        label="Allow sign-in by a code"
        hint="For command lines and devices without a browser: people type a code that is shown there. Anyone can show such a code as if it came from this app, so leave it off unless you need it."
        checked={allowDeviceFlow}
        onChecked={setAllowDeviceFlow}
      />
      <ScopeChoice
        legend="Access it may request"
        unfolded
        groups={groups}
        chosen={scopes as readonly Action[]}
        onChange={setScopes}
      />
      {hasOther && <ProblemNote error={save.error} />}
      <div className="flex justify-end gap-2">
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button look="primary" type="submit" busy={save.isPending} disabled={name.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  );
};
