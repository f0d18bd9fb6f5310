// Every answer to GET that an instance gives: all paths of its own OpenAPI document, with every id that turns up in an
// answer, for several people.
import { hear } from './ask.ts';

export type Answers = Map<string, unknown>;

/** Name of a parameter in a path → how its ids begin. */
const prefixes: Record<string, string> = {
  spaceId: 'spc',
  baseId: 'bse',
  tableId: 'tbl',
  fieldId: 'fld',
  viewId: 'viw',
  recordId: 'rec',
  accessTokenId: 'acc',
  clientId: 'clt',
};

/** Where an id is looked for in a path with two: below the first. */
const isBelow = (template: string): boolean => (template.match(/\{/g) ?? []).length === 2;

/** Queries that a path needs, or that show more of it. */
const queries: Record<string, string[]> = {
  '/trash': ['?resourceType=space', '?resourceType=base'],
  '/notifications': ['?notifyStates=unread', '?notifyStates=read'],
  '/table/{tableId}/record': ['?take=1000', '?take=1000&fieldKeyType=id&cellFormat=text'],
  '/table/{tableId}/record/history': ['?take=1000'],
  '/table/{tableId}/record/{recordId}/history': ['?take=1000&includeCreated=true'],
};

/** Of a view of the table, besides. */
const perView: Record<string, string> = {
  '/table/{tableId}/record': '?take=1000&viewId=',
  '/table/{tableId}/aggregation/row-count': '?viewId=',
  '/table/{tableId}/aggregation/group-points': '?viewId=',
};

const idForm = /\b(?:spc|bse|tbl|fld|viw|rec|acc)[0-9A-Za-z]{16}\b|\bclt[0-9a-z]{16}\b/g;

interface Walk {
  origin: string;
  templates: string[];
  who: string;
  token: string;
  answers: Answers;
  /** Ids of all kinds, and those that turned up below another: `tblX` → its fields, views, records. */
  ids: Set<string>;
  below: Map<string, Set<string>>;
}

const ofKind = (ids: Iterable<string>, name: string): string[] =>
  [...ids].filter((id) => id.startsWith(prefixes[name] as string));

const pathsOf = ({ ids, below }: Walk, template: string): string[] => {
  if (template === '/trash/items')
    return (['base', 'table'] as const).flatMap((type) =>
      ofKind(ids, `${type}Id`).map((id) => `${template}?resourceId=${id}&resourceType=${type}`),
    );
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  if (names.some((name) => prefixes[name] === undefined)) return [];
  const [first, second] = names;
  const fillFirst =
    first === undefined
      ? [{ path: template, id: '' }]
      : ofKind(ids, first).map((id) => ({ path: template.replace(`{${first}}`, id), id }));
  const filled = fillFirst.flatMap(({ path, id }) =>
    second === undefined || !isBelow(template)
      ? [path]
      : ofKind(below.get(id) ?? [], second).map((inner) => path.replace(`{${second}}`, inner)),
  );
  const views =
    first === 'tableId' && perView[template] !== undefined
      ? fillFirst.flatMap(({ path, id }) =>
          ofKind(below.get(id) ?? [], 'viewId').map((viewId) => `${path}${perView[template]}${viewId}`),
        )
      : [];
  return [...filled.flatMap((path) => (queries[template] ?? ['']).map((query) => path + query)), ...views];
};

/** Ids in a path too: what is asked below a table belongs to it. */
const harvest = (walk: Walk, path: string, text: string): void => {
  const parent = /(tbl|bse)[0-9A-Za-z]{16}/.exec(
    path.includes('/table/tbl') ? path.slice(path.indexOf('/table/')) : path,
  )?.[0];
  for (const [id] of text.matchAll(idForm)) {
    walk.ids.add(id);
    if (parent === undefined) continue;
    const known = walk.below.get(parent);
    if (known === undefined) walk.below.set(parent, new Set([id]));
    else known.add(id);
  }
};

const inBatches = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
};

/** Without what asking itself changes, and without bytes on disk, which are counted from time to time. */
const settled = (text: string, origin: string): unknown =>
  JSON.parse(text.replaceAll(origin, '<origin>'), (key, value: unknown) =>
    ['lastUsedTime', 'requestId', 'diskSize'].includes(key) ? undefined : value,
  ) as unknown;

const visit = async (walk: Walk, path: string): Promise<string[]> => {
  const { status, body } = await hear({ origin: walk.origin, token: walk.token }, 'GET', path);
  const text = JSON.stringify(body);
  walk.answers.set(`${walk.who} GET ${path}`, { status, body: settled(text, walk.origin) });
  if (status >= 500) throw new Error(`GET ${path} answered ${status}: ${text}`);
  if (status === 200) harvest(walk, path, text);
  const next = (body as { nextCursor?: string | null } | null)?.nextCursor;
  return typeof next === 'string' && status === 200
    ? [`${path.replace(/[?&]cursor=.*$/, '')}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next)}`]
    : [];
};

const walkAll = async (walk: Walk): Promise<void> => {
  const seen = new Set<string>();
  for (;;) {
    const open = walk.templates.flatMap((template) => pathsOf(walk, template)).filter((path) => !seen.has(path));
    if (open.length === 0) return;
    await inBatches(open, async (path) => {
      for (let pages = [path]; pages.length > 0; ) {
        for (const page of pages) seen.add(page);
        pages = (await Promise.all(pages.map((page) => visit(walk, page)))).flat().filter((page) => !seen.has(page));
      }
    });
  }
};

/** By person and path. Streams and answers that are no JSON are left out. */
export const allAnswers = async (
  origin: string,
  tokens: Record<string, string>,
  isAsked: (template: string) => boolean = () => true,
): Promise<Answers> => {
  const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as {
    paths: Record<string, { get?: { responses: Record<string, { content?: Record<string, unknown> }> } }>;
  };
  const templates = Object.entries(document.paths)
    .filter(([, { get }]) => get !== undefined && 'application/json' in (get.responses['200']?.content ?? {}))
    .map(([path]) => path.replace(/^\/api/, ''))
    .filter(isAsked);
  const answers: Answers = new Map();
  for (const [who, token] of Object.entries(tokens))
    await walkAll({ origin, templates, who, token, answers, ids: new Set(), below: new Map() });
  return answers;
};

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'nothing';

/** Where two answers differ, in words. With `mayGrow`, objects of the second may have more keys. */
const differences = (one: unknown, other: unknown, mayGrow: boolean, at: string): string[] => {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return Object.is(one, other) ? [] : [`${at}: ${shown(one)} is now ${shown(other)}`];
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length)
    return [`${at}: ${one.length} items are now ${other.length}`];
  const keys = new Set([...Object.keys(one), ...(mayGrow ? [] : Object.keys(other))]);
  return [...keys].flatMap((key) =>
    differences(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
      mayGrow,
      `${at}.${key}`,
    ),
  );
};

/** In words, empty when all are the same. */
export const compareAnswers = (before: Answers, after: Answers, { mayGrow = false } = {}): string[] => [
  ...[...before].flatMap(([key, answer]) =>
    after.has(key) ? differences(answer, after.get(key), mayGrow, key) : [`${key} is no longer asked for`],
  ),
  ...(mayGrow
    ? []
    : [...after.keys()].filter((key) => !before.has(key)).map((key) => `${key} was not asked for before`)),
];
