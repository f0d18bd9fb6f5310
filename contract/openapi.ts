// OpenAPI 3.1 from the endpoints: TypeBox schemas are JSON Schema already.
import type { TSchema } from 'typebox';
import { type Declaration, isStream, pathParams, type Requirement } from './endpoint.ts';
import { type ErrorCode, errorTable } from './error.ts';

interface ObjectSchema {
  properties?: Record<string, TSchema & { description?: string }>;
  required?: string[];
}

const parametersOf = (endpoint: Declaration): object[] => {
  const params = (endpoint.params ?? {}) as ObjectSchema;
  const query = (endpoint.query ?? {}) as ObjectSchema;
  const headers = (endpoint.headers ?? {}) as ObjectSchema;
  const list = (from: ObjectSchema, place: string): object[] =>
    Object.entries(from.properties ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || (from.required ?? []).includes(name),
      ...(schema.description === undefined ? {} : { description: schema.description }),
      schema,
    }));
  return [
    ...list(params, 'path').filter((item) => pathParams(endpoint.path).includes((item as { name: string }).name)),
    ...list(query, 'query'),
    ...list(headers, 'header'),
  ];
};

export const accessText = (access: Requirement): string => {
  switch (access.on) {
    case 'public':
      return 'Anyone may call it.';
    case 'admin':
      return 'For administrators of the instance.';
    case 'user':
      return access.scope === undefined
        ? 'For any signed-in user.'
        : `For any signed-in user; a token needs the scope \`${access.scope}\`.`;
    default:
      return `Needs \`${access.action}\` on the ${access.on}.`;
  }
};

const errorsOf = (endpoint: Declaration): ErrorCode[] => {
  const codes: ErrorCode[] = [];
  if (endpoint.body !== undefined || endpoint.query !== undefined) codes.push('validation_error');
  if (endpoint.access.on !== 'public') codes.push('unauthorized', 'restricted_resource');
  if (pathParams(endpoint.path).length > 0) codes.push('not_found');
  if (codes.length === 0) codes.push('internal_server_error');
  return codes;
};

const bodyTypes = (endpoint: Declaration): string[] =>
  isStream(endpoint.body)
    ? [endpoint.body.contentMediaType]
    : [...(endpoint.form === true ? ['application/x-www-form-urlencoded'] : []), 'application/json'];

/** How much a stream may hold is a matter of the server: the schema has no word for it. */
const schemaOf = (schema: TSchema): TSchema => {
  if (!isStream(schema)) return schema;
  const { maxBytes: _maxBytes, ...rest } = schema;
  return rest;
};

const operationOf = (endpoint: Declaration): object => ({
  operationId: endpoint.name,
  summary: endpoint.summary,
  description: [endpoint.description, accessText(endpoint.access)].filter(Boolean).join('\n\n'),
  tags: [endpoint.tag],
  ...(endpoint.access.on === 'public' ? { security: [] } : {}),
  parameters: parametersOf(endpoint),
  ...(endpoint.body === undefined
    ? {}
    : {
        requestBody: {
          required: endpoint.bodyOptional !== true,
          content: Object.fromEntries(
            bodyTypes(endpoint).map((type) => [type, { schema: schemaOf(endpoint.body as TSchema) }]),
          ),
        },
      }),
  responses: {
    [endpoint.status]: {
      description: 'Success',
      ...(endpoint.response === undefined
        ? {}
        : {
            content: {
              [isStream(endpoint.response)
                ? endpoint.response.contentMediaType
                : (endpoint.produces ?? 'application/json')]: { schema: schemaOf(endpoint.response) },
            },
          }),
    },
    ...Object.fromEntries(
      errorsOf(endpoint).map((code) => [errorTable[code].status, { $ref: `#/components/responses/${code}` }]),
    ),
  },
});

/** What holds for every request. */
export const requestText =
  'Send `Authorization: Bearer <token>` with every request. Bodies are JSON in UTF-8. They may be sent compressed, with `Content-Encoding: gzip`, `deflate` or `br`; limits count what they decode to.';

export const openapi = (endpoints: readonly Declaration[], url: string): object => {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rowhouse',
      version: '0.1.0',
      summary: 'A collaborative table database',
      description: requestText,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${url}/api` }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'auth_session' },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'status', 'code'],
          properties: {
            message: { type: 'string' },
            status: { type: 'integer' },
            code: { type: 'string', enum: Object.keys(errorTable) },
            data: {},
            requestId: { type: 'string' },
          },
        },
      },
      responses: Object.fromEntries(
        Object.entries(errorTable).map(([code, { meaning }]) => [
          code,
          { description: meaning, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
    },
  };
};
