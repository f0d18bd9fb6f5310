// Values of steps, as Teable writes them (literals, facts of earlier nodes, arrays of both) and as they are here (JSON, formulas, templates). What has no form
// of Teable's, such as a formula, is a literal that holds it, so that it comes back as it was.
import { isDeepStrictEqual } from 'node:util';
import { isFormulaValue, isTemplateValue, type Value } from '@rowhouse/contract/automation-definition.ts';
import { type Part, partsOfTemplate, templateText } from '../automation/template.ts';
import { type Config, unmapped } from './node.ts';

/** Where a value stands: `node` is what messages name, `triggerId` what Teable calls the trigger. */
export interface NodePlace {
  node: string;
  triggerId: string;
}

interface Literal {
  resolvable: true;
  type: 'literal';
  value: unknown;
}
interface Fact {
  resolvable: true;
  type: 'fact';
  fact: string;
  path: string;
}
type Resolvable = Literal | Fact | { resolvable: true; type: 'array'; nodes: (Literal | Fact)[] };

const pipes: Readonly<Record<string, (term: string) => string>> = {
  uppercase: (term) => `UPPER(${term})`,
  lowercase: (term) => `LOWER(${term})`,
  trim: (term) => `TRIM(${term})`,
  length: (term) => `LEN(${term})`,
  toString: (term: string) => `CONCATENATE(${term})`,
  encodeUrlComponent: (term) => `ENCODE_URL_COMPONENT(${term})`,
};

const pathsOfKeys: Readonly<Record<string, string>> = {
  recordId: '$.record.id',
  recordName: '$.record.name',
  recordUrl: '$.record.url',
  by: '$.user.name',
  byId: '$.user.id',
  time: '$.time',
  status: '$.status',
  count: '$.count',
  recordIds: '$.recordIds',
  index: '$.index',
  comment: '$.comment',
};
const keysOfPaths: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(pathsOfKeys).map(([key, path]) => [path, key])),
  '$.id': 'recordId',
  '$.name': 'recordName',
  '$.url': 'recordUrl',
  '$.actualTriggeredTime': 'time',
};

const segment = (name: string): string => (/^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

/** `$.record.fields.fldX` → its names; undefined for what is no such path. */
const segmentsOf = (path: string): string[] | undefined => {
  const found: string[] = [];
  let rest = path.startsWith('$') ? path.slice(1) : `.${path}`;
  while (rest !== '') {
    const match = /^(?:\.([^.[\]]+)|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]|\[(\d+)\])/.exec(rest);
    if (match === null) return undefined;
    const quoted = match[2] === undefined ? undefined : (JSON.parse(match[2]) as string);
    found.push(quoted ?? match[1] ?? match[3] ?? (match[4] as string));
    rest = rest.slice(match[0].length);
  }
  return found;
};

const pathOfKey = (key: string): string => {
  const known = Object.hasOwn(pathsOfKeys, key) ? pathsOfKeys[key] : undefined;
  if (known !== undefined) return known;
  if (key === 'body' || key.startsWith('body.')) return `$${key.split('.').map(segment).join('')}`;
  return key.startsWith('before.') ? `$.record.oldFields${segment(key.slice(7))}` : `$.record.fields${segment(key)}`;
};

const keyOfPath = (path: string): string | undefined => {
  const parts = segmentsOf(path);
  if (parts === undefined || parts.some((part) => /[{}\\]/.test(part))) return undefined;
  const plain = `$.${parts.join('.')}`;
  if (Object.hasOwn(keysOfPaths, plain)) return keysOfPaths[plain];
  if (parts[0] === 'body') return parts.join('.');
  const [first, second, ...more] = parts[0] === 'record' ? parts.slice(1) : parts;
  if (second === undefined || more.length > 0) return undefined;
  return first === 'fields' ? second : first === 'oldFields' ? `before.${second}` : undefined;
};

const literal = (value: unknown): Literal => ({ resolvable: true, type: 'literal', value });

const factOf = (reference: string, { triggerId }: NodePlace): Fact | undefined => {
  const dot = reference.indexOf('.');
  if (dot === -1) return undefined;
  const source = reference.slice(0, dot);
  return {
    resolvable: true,
    type: 'fact',
    fact: source === 'trigger' ? triggerId : source,
    path: pathOfKey(reference.slice(dot + 1)),
  };
};

const referenceOf = (fact: Config, path: string, place: NodePlace): string => {
  const key = typeof fact.path === 'string' ? keyOfPath(fact.path) : undefined;
  if (typeof fact.fact !== 'string' || key === undefined)
    throw unmapped(
      place.node,
      `${path}.path`,
      `${JSON.stringify(fact.path)?.slice(0, 200)} is not something that a node has here`,
      '`$.record.fields.fld…`, `$.record.oldFields.fld…`, `$.record.id`, `$.user.id`, `$.body.…`, `$.status`, `$.count` or `$.time`',
    );
  return `${fact.fact === place.triggerId ? 'trigger' : fact.fact}.${key}`;
};

/** A fact as the term of a formula, with its pipes around it. */
const termOf = (fact: Config, path: string, place: NodePlace): string => {
  const given = (fact.params as { pipes?: unknown } | undefined)?.pipes ?? [];
  if (!Array.isArray(given)) throw unmapped(place.node, `${path}.params.pipes`, 'it is no list', 'a list of names');
  return (given as unknown[]).reduce<string>(
    (term, pipe) => {
      const name = typeof pipe === 'string' ? pipe : String((pipe as { name?: unknown } | null)?.name);
      if (!Object.hasOwn(pipes, name))
        throw unmapped(
          place.node,
          `${path}.params.pipes`,
          `there is no ${JSON.stringify(name)} here`,
          Object.keys(pipes).join(', '),
        );
      return (pipes[name] as (term: string) => string)(term);
    },
    `{${referenceOf(fact, path, place)}}`,
  );
};

const partOf = (node: unknown, path: string, place: NodePlace): Part => {
  const { type, value } = (node ?? {}) as Config;
  if (type === 'literal')
    return { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value ?? '') };
  if (type !== 'fact') throw unmapped(place.node, path, 'it is neither a literal nor a fact', 'one of them');
  const term = termOf(node as Config, path, place);
  return /^\{[^{}]*\}$/.test(term)
    ? { kind: 'reference', text: term.slice(1, -1) }
    : { kind: 'formula', text: ` ${term} ` };
};

export const valueFrom = (given: unknown, path: string, place: NodePlace): Value => {
  if (typeof given !== 'object' || given === null) return (given ?? null) as Value;
  const { type, value, nodes } = given as Config;
  if (type === 'literal') return (value ?? null) as Value;
  if (type === 'fact') return { formula: termOf(given as Config, path, place) };
  if (type !== 'array' || !Array.isArray(nodes))
    throw unmapped(place.node, path, 'it is not a value', 'a literal, a fact, or an array of both');
  const [only] = nodes;
  // One alone keeps what it is: as a text, 0.5 of a per cent field would become something else.
  if (nodes.length === 1) return valueFrom(only, `${path}.nodes[0]`, place);
  return {
    template: templateText(
      nodes
        .map((node, at) => partOf(node, `${path}.nodes[${at}]`, place))
        .filter(({ kind, text }) => kind !== 'text' || text !== ''),
    ),
  };
};

const partNode = ({ kind, text }: Part, place: NodePlace): Literal | Fact | undefined =>
  kind === 'text' ? literal(text) : kind === 'reference' ? factOf(text, place) : undefined;

const candidateOf = (value: Value, place: NodePlace): Resolvable | undefined => {
  if (isFormulaValue(value)) {
    const only = /^\{([^{}]+)\}$/.exec(value.formula)?.[1];
    return only === undefined ? undefined : factOf(only, place);
  }
  if (!isTemplateValue(value)) return undefined;
  const nodes = partsOfTemplate(value.template).map((part) => partNode(part, place));
  if (nodes.length === 0 || nodes.includes(undefined)) return undefined;
  const all = nodes as (Literal | Fact)[];
  // Two, so that it stays a text.
  return { resolvable: true, type: 'array', nodes: all.length === 1 ? [literal(''), ...all] : all };
};

export const valueTo = (value: Value, place: NodePlace): Resolvable => {
  const whole = literal(value);
  try {
    const candidate = candidateOf(value, place);
    return candidate !== undefined && isDeepStrictEqual(valueFrom(candidate, '', place), value) ? candidate : whole;
  } catch {
    // A draft may hold what is no template or path.
    return whole;
  }
};
