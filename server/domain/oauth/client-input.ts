// What a creator may say about an application; every fault is named at once.
import { invalid, type Issue } from '@rowhouse/contract/error.ts';
import { type OauthClientInput, oauthScopes } from '@rowhouse/contract/oauth.ts';
import { addressFault, redirectUriFault } from './address.ts';

export interface ClientFields {
  name: string;
  homepage: string;
  scopes: string[];
  redirectUris: string[];
  /** Undefined: not mentioned. */
  description: string | null | undefined;
  logo: string | null | undefined;
  allowDeviceFlow: boolean | undefined;
}

const orNull = (text: string | null | undefined): string | null | undefined => (text === '' ? null : text);

const known: ReadonlySet<string> = new Set(oauthScopes);

const scopeIssues = (scopes: readonly string[]): Issue[] =>
  scopes.flatMap((scope, at) =>
    known.has(scope)
      ? []
      : [
          {
            path: `scopes[${at}]`,
            message: 'Not a scope that applications can ask for',
            expected: `one of ${oauthScopes.join(', ')}`,
          },
        ],
  );

export const readClientInput = (body: OauthClientInput): ClientFields => {
  const issues: Issue[] = [];
  const check = (path: string, fault: string | undefined): void => {
    if (fault !== undefined) issues.push({ path, message: fault });
  };
  const description = orNull(body.description);
  const logo = orNull(body.logo);
  check('name', body.name.trim() === '' ? 'Expected a name' : undefined);
  check('homepage', addressFault(body.homepage));
  if (typeof logo === 'string') check('logo', addressFault(logo));
  body.redirectUris.forEach((uri, at) => check(`redirectUris[${at}]`, redirectUriFault(uri)));
  issues.push(...scopeIssues(body.scopes ?? []));
  if (issues.length > 0) throw invalid(issues);
  return {
    name: body.name,
    homepage: body.homepage,
    scopes: [...new Set(body.scopes)],
    redirectUris: [...new Set(body.redirectUris)],
    description,
    logo,
    allowDeviceFlow: body.allowDeviceFlow,
  };
};
