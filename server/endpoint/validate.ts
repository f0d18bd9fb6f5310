// Schema validation with errors that name the place and what would be right.
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import type { TSchema } from 'typebox';
import { type SchemaError, schemaErrors, validatorOf } from './schema-errors.ts';

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueAt = (value: unknown, pointer: string): unknown =>
  partsOf(pointer).reduce((inside, part) => (inside as Record<string, unknown> | undefined)?.[part], value);

/** `/records/3/fields/Name` → `records[3].fields.Name` */
const readablePath = (pointer: string): string =>
  partsOf(pointer).reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
    '',
  );

const formatWords: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  'date-time': 'a date and time such as 2026-01-31T09:30:00Z',
};

const wordsOfFormat = (format: unknown): string => formatWords[String(format)] ?? `a valid ${String(format)}`;

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const expectation = (error: SchemaError): string => {
  const { params } = error;
  switch (error.keyword) {
    case 'type':
      return `Expected ${[params.type].flat().join(' or ')}`;
    case 'const':
      return `Expected ${JSON.stringify(params.allowedValue)}`;
    case 'enum':
      return `Expected one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'minLength':
      return `Expected at least ${params.limit} character(s)`;
    case 'maxLength':
      return `Expected at most ${params.limit} character(s)`;
    case 'minItems':
      return `Expected at least ${params.limit} item(s)`;
    case 'maxItems':
      return `Expected at most ${params.limit} item(s)`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `Expected a number ${params.comparison} ${params.limit}`;
    case 'format':
      return `Expected ${wordsOfFormat(params.format)}`;
    case 'pattern':
      return `Expected text that matches ${params.pattern}`;
    default:
      return error.message.charAt(0).toUpperCase() + error.message.slice(1);
  }
};

/** Members of a union are told apart by a constant, such as `type`: only what is wrong with those whose constant was given is of use. */
const meantMembers = (union: SchemaError, inside: readonly SchemaError[]): readonly SchemaError[] => {
  const memberOf = ({ schemaPath }: SchemaError): string | undefined =>
    /^(?:\/(?:anyOf|oneOf))?\/(\d+)/.exec(schemaPath.slice(union.schemaPath.length))?.[1];
  const isTold = ({ keyword, instancePath }: SchemaError): boolean =>
    keyword === 'const' &&
    instancePath.startsWith(`${union.instancePath}/`) &&
    !instancePath.slice(union.instancePath.length + 1).includes('/');
  const others = new Set(inside.filter(isTold).map(memberOf));
  const meant = inside.filter((error) => !others.has(memberOf(error)));
  return meant.length > 0 ? meant : inside;
};

// A union reports every member that did not fit. Only what helps is kept: the allowed words of a union of
// constants, or the failures of the member that got furthest.
const issuesOf = (errors: readonly SchemaError[]): Issue[] => {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  const isOutermost = (union: SchemaError): boolean =>
    !unions.some((other) => other !== union && union.schemaPath.startsWith(`${other.schemaPath}/`));
  const issues: Issue[] = [];
  for (const union of unions.filter(isOutermost)) {
    const inside = meantMembers(
      union,
      errors.filter((error) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`)),
    );
    const constants = inside.filter((error) => error.keyword === 'const' && error.instancePath === union.instancePath);
    const deeper = inside.filter(
      (error) =>
        error.instancePath.length > union.instancePath.length && error.keyword !== 'anyOf' && error.keyword !== 'oneOf',
    );
    const path = readablePath(union.instancePath);
    if (constants.length > 0) {
      const words = [...new Set(constants.map((error) => JSON.stringify(error.params.allowedValue)))].join(', ');
      issues.push({ path, message: `Expected one of ${words}`, expected: words });
    } else if (deeper.length > 0) {
      issues.push(...deeper.slice(0, 3).flatMap(plainIssue));
    } else {
      const kinds = [...new Set(inside.filter((error) => error.instancePath === union.instancePath).map(expectation))];
      issues.push({
        path,
        message:
          kinds.length > 0 ? kinds.join(', or ').replaceAll(', or Expected', ', or') : 'Not one of the allowed forms',
      });
    }
  }
  const inUnion = (error: SchemaError): boolean =>
    unions.some((union) => error === union || error.schemaPath.startsWith(`${union.schemaPath}/`));
  issues.push(...errors.filter((error) => !inUnion(error)).flatMap(plainIssue));
  return issues;
};

const plainIssue = (error: SchemaError): Issue[] => {
  const path = readablePath(error.instancePath);
  if (error.keyword === 'required') {
    return (error.params.requiredProperties as string[]).map((key) => ({ path: join(path, key), message: 'Required' }));
  }
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const keys = (error.params.additionalProperties ?? error.params.unevaluatedProperties ?? []) as string[];
    return keys.map((key) => ({ path: join(path, key), message: 'Unknown key' }));
  }
  if (error.keyword === '~refine' || error.keyword === 'boolean') return [{ path, message: error.message }];
  // Of several addresses the one that is meant is named.
  if (error.keyword === 'format' && typeof error.params.given === 'string') {
    const words = wordsOfFormat(error.params.format);
    return [{ path, message: `"${error.params.given.slice(0, 100)}" is not ${words}`, expected: words }];
  }
  const message = expectation(error);
  return [{ path, message, expected: message.replace(/^Expected /, '') }];
};

export type Validate = (value: unknown, at: string) => void;

/** Compiled on first use: starting the server stays quick. */
export const validator =
  (schema: TSchema): Validate =>
  (value, at) => {
    if (validatorOf(schema).Check(value)) return;
    const issues = issuesOf(
      schemaErrors(schema, value).map((error) =>
        error.keyword === 'format'
          ? { ...error, params: { ...error.params, given: valueAt(value, error.instancePath) } }
          : error,
      ),
    );
    const prefix = at === '' ? '' : `${at}.`;
    throw invalid(
      (issues.length > 0 ? issues : [{ path: '', message: 'Does not have the expected form' }]).map((issue) => ({
        ...issue,
        path: issue.path === '' ? at : prefix + issue.path,
      })),
    );
  };
