// What differs between two versions of Teable's client: its operations, and for each the shape of what it takes and answers.
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Definition {
  typeName?: string;
  type?: unknown;
  values?: unknown;
  value?: unknown;
  entries?: object;
  [part: string]: unknown;
}
interface Schema {
  _def?: Definition;
}
interface ClientRoute {
  method: string;
  path: string;
  request?: Record<string, unknown>;
  responses?: Record<string, unknown>;
}

/** `ZodObject` of version 3, `object` of version 4. */
const kindOf = ({ typeName, type }: Definition): string =>
  (typeName ?? String(type)).replace(/^Zod/, '').toLowerCase().replace('nativeenum', 'enum');

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_def' in value;

const deepest = 8;

/** One line for each part of a schema that has a name: `records[].id: string?`. */
export const shapeOf = (schema: unknown, at = '', depth = 0, mark = ''): string[] => {
  const definition = (schema as Schema | undefined)?._def;
  if (definition === undefined || depth > deepest) return [`${at}: …${mark}`];
  const kind = kindOf(definition);
  const into = (part: unknown, name = at, more = mark): string[] => shapeOf(part, name, depth + 1, more);
  const { innerType, schema: within, in: input, getter, shape } = definition;
  if (kind === 'optional') return into(innerType, at, `${mark}?`);
  if (kind === 'nullable') return into(innerType, at, `${mark}|null`);
  if (isSchema(innerType)) return into(innerType);
  if (isSchema(within)) return into(within);
  if (isSchema(input)) return into(input);
  if (typeof getter === 'function') return into((getter as () => unknown)());
  if (kind === 'object') {
    const parts = (typeof shape === 'function' ? (shape as () => object)() : shape) as Record<string, unknown>;
    return Object.entries(parts)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, part]) => into(part, at === '' ? name : `${at}.${name}`, ''));
  }
  if (kind === 'array') return into(definition['element'] ?? definition.type, `${at}[]`);
  if (kind === 'record') return into(definition['valueType'], `${at}{}`);
  if (kind === 'union' || kind === 'discriminatedunion') {
    const options = definition['options'] as Iterable<unknown>;
    const all = [...(options instanceof Map ? options.values() : options)];
    return [...new Set(all.flatMap((option) => into(option)))];
  }
  if (kind === 'intersection') return [...into(definition['left']), ...into(definition['right'])];
  if (kind === 'enum' || kind === 'literal') {
    const values = definition.entries ?? definition.values ?? definition.value;
    const all = typeof values === 'object' && values !== null ? Object.values(values) : [values];
    return [`${at}: ${JSON.stringify(all)}${mark}`];
  }
  return [`${at}: ${kind}${mark}`];
};

const schemaIn = (part: unknown): unknown => {
  const content = (part as { content?: Record<string, { schema?: unknown }> } | undefined)?.content;
  return content === undefined ? undefined : Object.values(content)[0]?.schema;
};

/** Lines of an operation, by `POST /table/{}/record`. */
const shapesOf = ({ request = {}, responses = {} }: ClientRoute): string[] => [
  ...(isSchema(request['query']) ? shapeOf(request['query']).map((line) => `query ${line}`) : []),
  ...(isSchema(schemaIn(request['body'])) ? shapeOf(schemaIn(request['body'])).map((line) => `body ${line}`) : []),
  ...Object.entries(responses).flatMap(([status, answer]) => {
    const schema = schemaIn(answer);
    return isSchema(schema) ? shapeOf(schema).map((line) => `${status} ${line}`) : [`${status}`];
  }),
];

type ClientShape = ReadonlyMap<string, readonly string[]>;

/** Of the client in a folder, such as `node_modules/@teable/openapi`. */
export const clientShape = (folder: string): ClientShape => {
  const require = createRequire(join(folder, 'package.json'));
  require(folder);
  const { getRoutes } = require(join(folder, 'dist/utils.js')) as { getRoutes: () => ClientRoute[] };
  return new Map(
    getRoutes().map((route) => [
      `${route.method.toUpperCase()} ${route.path.replaceAll(/\{[^}]+\}/g, '{}')}`,
      [...new Set(shapesOf(route))],
    ]),
  );
};

/** What was added has a plus, what is gone a minus. */
export const changesBetween = (before: ClientShape, after: ClientShape): string[] => {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === undefined) return [`+ ${name}`];
    if (is === undefined) return [`- ${name}`];
    const lines = [
      ...was.filter((line) => !is.includes(line)).map((line) => `    - ${line}`),
      ...is.filter((line) => !was.includes(line)).map((line) => `    + ${line}`),
    ];
    return lines.length === 0 ? [] : [`~ ${name}`, ...lines];
  });
};
