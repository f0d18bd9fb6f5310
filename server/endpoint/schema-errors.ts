// What is wrong with a value, for the price of a few values however large it is. TypeBox walks the whole of one to say it,
// at a hundred times what JSON.parse took; so of long lists only the items that are wrong are looked at this way, and
// compiled checks find those.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';

export interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: Record<string, unknown>;
  message: string;
}

interface Shape {
  type?: string;
  anyOf?: Shape[];
  items?: Shape;
  maxItems?: number;
  properties?: Record<string, Shape>;
}

/** As many as TypeBox tells of. */
const mostErrors = 8;

/** Values that are walked as a whole: a millisecond's worth. */
const light = 2_000;

const validators = new WeakMap<object, ReturnType<typeof Compile>>();

export const validatorOf = (schema: TSchema): ReturnType<typeof Compile> => {
  const known = validators.get(schema) ?? Compile(schema);
  validators.set(schema, known);
  return known;
};

/** Whether a value holds more than `light` others. */
const isHeavy = (value: unknown): boolean => {
  let left = light;
  const weigh = (item: unknown): boolean => {
    if (typeof item !== 'object' || item === null) return false;
    const inner = Array.isArray(item) ? item : Object.values(item);
    left -= inner.length;
    return left < 0 || inner.some(weigh);
  };
  return weigh(value);
};

const step = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const below = (errors: readonly SchemaError[], schemaStep: string, instanceStep: string): SchemaError[] =>
  errors.map((error) => ({
    ...error,
    schemaPath: error.schemaPath.replace('#', `#${schemaStep}`),
    instancePath: instanceStep + error.instancePath,
  }));

const wholeErrors = (schema: Shape, value: unknown): SchemaError[] =>
  Value.Errors(schema as TSchema, value) as unknown as SchemaError[];

const listErrors = ({ items, ...rest }: Shape, value: readonly unknown[]): SchemaError[] => {
  // Without its items: how long it is, and such.
  const errors = wholeErrors(rest, value);
  if (errors.length > 0 || items === undefined) return errors;
  const check = validatorOf(items as TSchema);
  for (let at = 0; at < value.length && errors.length < mostErrors; at += 1) {
    if (!check.Check(value[at])) errors.push(...below(schemaErrors(items, value[at]), '/items', `/${at}`));
  }
  return errors.slice(0, mostErrors);
};

const objectErrors = (schema: Shape, value: Record<string, unknown>): SchemaError[] => {
  const properties = schema.properties ?? {};
  const heavy = Object.keys(properties).filter((key) => Object.hasOwn(value, key) && isHeavy(value[key]));
  const without = Object.fromEntries(
    Object.entries(properties).map(([key, shape]) => [key, heavy.includes(key) ? {} : shape]),
  );
  const errors = wholeErrors({ ...schema, properties: without }, value);
  for (const key of heavy) {
    const shape = properties[key] as Shape;
    if (!validatorOf(shape as TSchema).Check(value[key]))
      errors.push(...below(schemaErrors(shape, value[key]), `/properties${step(key)}`, step(key)));
  }
  return errors.slice(0, mostErrors);
};

/** Of a value that its schema does not allow. Empty when what is wrong cannot be told for this price. */
export const schemaErrors = (schema: Shape, value: unknown): SchemaError[] => {
  if (!isHeavy(value)) return wholeErrors(schema, value);
  const kind = Array.isArray(value) ? 'array' : 'object';
  // Of several forms the one of its kind is meant.
  if (schema.anyOf !== undefined) {
    const meant = schema.anyOf.find(({ type }) => type === kind);
    return meant === undefined
      ? wholeErrors({ anyOf: schema.anyOf }, kind === 'array' ? [] : {})
      : schemaErrors(meant, value);
  }
  if (schema.type === 'array' && kind === 'array') return listErrors(schema, value as unknown[]);
  if (schema.type === 'object' && kind === 'object') return objectErrors(schema, value as Record<string, unknown>);
  // Of another type than wanted, which an empty one is as well.
  return wholeErrors(schema, kind === 'array' ? [] : {});
};
