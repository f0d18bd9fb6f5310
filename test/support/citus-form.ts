// What Citus refuses in a statement of a base, told from the statement as PostgreSQL's parser reads it, so that it is found on any PostgreSQL.
// The rules are those of its planner (ADR 53).
import type pg from 'pg';
import { readTree, type Tree } from './parse-tree.ts';

type Node = Extract<Tree, { node: string }>;

const isNode = (tree: Tree | undefined): tree is Node =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree);
const childrenOf = (tree: Tree): Tree[] =>
  Array.isArray(tree) ? tree : isNode(tree) ? Object.values(tree.fields) : [];

/** Into one list: a tree has tens of thousands of nodes, and is walked for every query in it. */
const gather = (tree: Tree, intoQueries: boolean, found: Node[]): void => {
  if (Array.isArray(tree)) {
    for (const child of tree) gather(child, intoQueries, found);
  } else if (isNode(tree)) {
    if (tree.node === 'QUERY' && !intoQueries) return;
    found.push(tree);
    for (const name in tree.fields) gather(tree.fields[name] as Tree, intoQueries, found);
  }
};

/** Every node of an expression; into subqueries only where it is wanted. */
const nodesOf = (tree: Tree, intoQueries: boolean): Node[] => {
  const found: Node[] = [];
  gather(tree, intoQueries, found);
  return found;
};

export interface Facts {
  /** Oid of a function → 'i', 's' or 'v'. */
  volatility: ReadonlyMap<string, string>;
  /** Oid of a function or operator → what it is called. */
  names: ReadonlyMap<string, string>;
  /** Oid of an operator → the function behind it. */
  operators: ReadonlyMap<string, string>;
  /** Oids of functions that begin a subtransaction, themselves or in what they call. */
  catching: ReadonlySet<string>;
  /** Oid of a table → where it is. */
  places: ReadonlyMap<string, 'base' | 'rowhouse' | 'elsewhere'>;
}

const functionOf = ({ node, fields }: Node, { operators }: Facts): string | undefined => {
  if (node === 'FUNCEXPR') return fields['funcid'] as string;
  if (['OPEXPR', 'SCALARARRAYOPEXPR', 'DISTINCTEXPR', 'NULLIFEXPR'].includes(node))
    return operators.get(fields['opno'] as string);
  return undefined;
};

/** Of a call: 'i' for what is none. */
const volatilityOf = (node: Node, facts: Facts): string => facts.volatility.get(functionOf(node, facts) ?? '') ?? 'i';

const nameOf = (node: Node, facts: Facts): string => facts.names.get(functionOf(node, facts) ?? '') ?? '?';

/** What comes of it is put in where it is used, before Citus looks at it. */
const pulledUp = (entry: Tree): Tree => {
  const query = isNode(entry) && entry.fields['rtekind'] === '1' ? entry.fields['subquery'] : undefined;
  return isNode(query) && query.fields['limitOffset'] === null && query.fields['limitCount'] === null
    ? (query.fields['targetList'] ?? null)
    : null;
};

const readsBase = (tree: Tree, facts: Facts): boolean =>
  nodesOf(tree, true).some(
    (node) => node.node === 'QUERY' && node.fields['commandType'] === '1' && relationsOf(node, facts).includes('base'),
  );

/** Of the values that an update sets, and of its condition. */
const inModification = (expression: Tree, facts: Facts): string[] => {
  const found: string[] = [];
  for (const node of nodesOf(expression, true))
    if (volatilityOf(node, facts) === 'v') found.push(`the volatile function ${nameOf(node, facts)} in an update`);
  const walk = (tree: Tree): void => {
    if (isNode(tree)) {
      if (tree.node === 'QUERY') return;
      if (tree.node === 'CASEEXPR' || tree.node === 'COALESCEEXPR') {
        for (const inner of nodesOf(tree, false))
          if (volatilityOf(inner, facts) === 's')
            found.push(`the stable function ${nameOf(inner, facts)} in a condition of an update`);
        return;
      }
      if (volatilityOf(tree, facts) === 's' && nodesOf(tree, false).some(({ node }) => node === 'VAR'))
        found.push(`the stable function ${nameOf(tree, facts)} of a column in an update`);
    }
    childrenOf(tree).forEach(walk);
  };
  walk(expression);
  return found;
};

const relationsOf = (query: Node, facts: Facts): ('base' | 'rowhouse' | 'elsewhere')[] =>
  ((query.fields['rtable'] ?? []) as Tree[]).flatMap((entry) =>
    isNode(entry) && entry.fields['rtekind'] === '0'
      ? [facts.places.get(entry.fields['relid'] as string) ?? 'elsewhere']
      : [],
  );

/** Whether something inside of it names a row of the queries around it. */
const looksOutside = (tree: Tree, depth = 0): boolean => {
  if (isNode(tree) && tree.node === 'VAR') return Number(tree.fields['varlevelsup']) > depth;
  const inner = isNode(tree) && tree.node === 'QUERY' ? depth + 1 : depth;
  return childrenOf(tree).some((child) => looksOutside(child, inner));
};

/** Subqueries of this place that read a table of a base. */
const readsBehind = (tree: Tree, facts: Facts): boolean =>
  nodesOf(tree, true).some((node) => node.node === 'QUERY' && relationsOf(node, facts).includes('base'));

/** "cannot handle complex subqueries when the router executor is disabled": of windows with `partition by`, right above a table of a base. */
const partitionsBase = (query: Tree | undefined, facts: Facts): boolean =>
  isNode(query) &&
  query.node === 'QUERY' &&
  relationsOf(query, facts).includes('base') &&
  nodesOf(query.fields['windowClause'] ?? null, false).some(
    ({ node, fields }) => node === 'WINDOWCLAUSE' && fields['partitionClause'] !== null,
  );

export const refusedBy = (tree: Tree, facts: Facts): string[] => {
  const queries = nodesOf(tree, true).filter(({ node }) => node === 'QUERY');
  if (!queries.some((query) => relationsOf(query, facts).includes('base'))) return [];
  const found = queries.flatMap((query) => {
    const { commandType, resultRelation, rtable, targetList, jointree, returningList } = query.fields;
    const relations = relationsOf(query, facts);
    const problems: string[] = [];
    const target = ((rtable ?? []) as Tree[])[Number(resultRelation) - 1];
    const isOfBase = isNode(target) && facts.places.get(target.fields['relid'] as string) === 'base';
    if (commandType === '2' && isOfBase)
      problems.push(
        ...[targetList ?? null, ...((rtable ?? []) as Tree[]).map(pulledUp)].flatMap((values) =>
          inModification(values, facts),
        ),
      );
    const source = commandType === '3' && isOfBase ? ((rtable ?? []) as Tree[]).slice(1) : [];
    if (isOfBase && readsBehind(returningList ?? null, facts))
      problems.push('a table of a base in a subquery behind "returning"');
    if (source.some((entry) => isNode(entry) && partitionsBase(entry.fields['subquery'], facts)))
      problems.push('an insert of rows of a base that a window divides, not in a subquery of its own');
    const marks = new Set(nodesOf(query, true).map((node) => volatilityOf(node, facts)));
    if (readsBase(source, facts) && marks.has('s') && !marks.has('v'))
      problems.push(
        'an insert from one table of a base into another with a stable function and nothing volatile in it',
      );
    if ((commandType === '2' || commandType === '4') && isOfBase)
      problems.push(...inModification(isNode(jointree) ? (jointree.fields['quals'] ?? null) : null, facts));
    if (isOfBase && commandType !== '3')
      for (const node of nodesOf(returningList ?? null, true))
        if (volatilityOf(node, facts) !== 'i')
          problems.push(`the function ${nameOf(node, facts)}, which is not immutable, behind "returning"`);
    if (commandType === '1' && targetList === null && relations.includes('base'))
      problems.push('a subquery on a table of a base without a column');
    if (relations.includes('rowhouse') && relations.includes('base'))
      problems.push('a table of a base joined with one of schema rowhouse');
    // `depth` -1: the query itself is the first one that is entered.
    if (relations.includes('rowhouse') && looksOutside(query, -1))
      problems.push('a subquery on a table of schema rowhouse that names a row of the query around it');
    return problems;
  });
  const setting = queries.filter(({ fields }) =>
    nodesOf(fields['targetList'] ?? null, false).some((node) => nameOf(node, facts) === 'set_config'),
  );
  if (setting.length > 0 && !setting.some((query) => relationsOf(query, facts).includes('rowhouse')))
    found.push('a setting that the node alone would have');
  return [...new Set(found)];
};

/**
 * Citus 13.2 spoils the rows of an insert behind another one when there is a window function in it: numbers begin again with every part of the rows that is handed on. In a
 * part of its own it is right.
 */
export const windowsBehindInserts = (tree: Tree, facts: Facts): string[] => {
  const inserts = nodesOf(tree, true).filter(({ node, fields }) => {
    const target = ((fields['rtable'] ?? []) as Tree[])[Number(fields['resultRelation']) - 1];
    return (
      node === 'QUERY' &&
      fields['commandType'] === '3' &&
      isNode(target) &&
      facts.places.get(target.fields['relid'] as string) === 'base'
    );
  });
  if (inserts.length < 2) return [];
  // Other parts of the statement are no part of the insert, also when it is the last of them.
  const own = ({ fields }: Node): Tree[] =>
    ['rtable', 'jointree', 'targetList', 'returningList'].map((name) => fields[name] ?? null);
  const isBehind = (insert: Node): boolean =>
    nodesOf(own(insert), true).some(({ fields }) => fields['rtekind'] === '6');
  return inserts.some(
    (insert) => isBehind(insert) && nodesOf(own(insert), true).some(({ node }) => node === 'WINDOWFUNC'),
  )
    ? ['a window function in an insert behind another insert']
    : [];
};

/** Below these all rows are computed before the first goes on. */
const gathersRows = ({ fields }: Node): boolean =>
  fields['hasWindowFuncs'] === 'true' ||
  fields['hasAggs'] === 'true' ||
  fields['sortClause'] !== null ||
  fields['groupClause'] !== null;

/** Functions that catch, of what is computed row by row on the way to an insert. */
const catchingRows = (query: Node, facts: Facts): string[] => {
  const { targetList, jointree, rtable } = query.fields;
  if (gathersRows(query)) return [];
  const own = nodesOf([targetList ?? null, jointree ?? null], false)
    .filter((node) => facts.catching.has(functionOf(node, facts) ?? ''))
    .map((node) => nameOf(node, facts));
  const below = ((rtable ?? []) as Tree[]).flatMap((entry) =>
    isNode(entry) && isNode(entry.fields['subquery']) ? catchingRows(entry.fields['subquery'], facts) : [],
  );
  return [...own, ...below];
};

/** Rows of a part that an insert reads are computed on the coordinator while they are sent to the node: no subtransaction can begin meanwhile. */
export const caughtOnTheWay = (tree: Tree, facts: Facts): string[] =>
  nodesOf(tree, true)
    .filter(({ node, fields }) => node === 'COMMONTABLEEXPR' && String(fields['ctename']).endsWith('_rows'))
    .flatMap(({ fields }) => catchingRows(fields['ctequery'] as Node, facts))
    .map((name) => `the function ${name}, which catches errors, in rows on their way to an insert`);

/** Inserts behind other parts of a statement that Citus carries out through the coordinator, and sends what they read of those parts to every node. */
export const sentToAll = (tree: Tree, facts: Facts): string[] => {
  const [root, ...inner] = nodesOf(tree, true).filter(({ node }) => node === 'QUERY');
  return inner.flatMap((query) => {
    const { commandType, rtable } = query.fields;
    if (query === root || commandType !== '3') return [];
    const source = ((rtable ?? []) as Tree[]).slice(1);
    if (!nodesOf(source, true).some(({ fields }) => fields['rtekind'] === '6')) return [];
    const changing = nodesOf(query, true)
      .filter((node) => volatilityOf(node, facts) !== 'i')
      .map((node) => nameOf(node, facts));
    if (!readsBase(source, facts))
      return ['an insert that reads other parts of its statement, and no table of the base'];
    return changing.length === 0 ? [] : [`an insert that reads other parts of its statement, with ${changing.join()}`];
  });
};

/**
 * A read that takes more than one look at a base: Citus carries out its parts one after the other when one of its tables is on the coordinator, and each sees what was committed by
 * then. Without such a table the node has the statement as a whole.
 */
export const readInParts = (tree: Tree, facts: Facts): string[] => {
  const queries = nodesOf(tree, true).filter(({ node }) => node === 'QUERY');
  if (
    queries.some(({ fields }) => fields['commandType'] !== '1') ||
    !queries.some((query) => relationsOf(query, facts).includes('rowhouse'))
  )
    return [];
  const parts = nodesOf(tree, true)
    .filter(({ node, fields }) => node === 'COMMONTABLEEXPR' && readsBase(fields['ctequery'] ?? null, facts))
    .map(({ fields }) => fields['ctequery'] ?? null);
  const inParts = new Set(parts.flatMap((part) => nodesOf(part, true)));
  const isReadBeside = queries.some((query) => !inParts.has(query) && relationsOf(query, facts).includes('base'));
  return parts.length + (isReadBeside ? 1 : 0) > 1
    ? ['several looks at a base beside a table of schema rowhouse, each of which would see another moment']
    : [];
};

export const readable = /^\s*(with|select|insert|update|delete)\b/i;

type Place = { oid: string; place: 'base' | 'rowhouse' | 'elsewhere' };

export const placesQuestion = `select c.oid::text, case when n.nspname ~ '^bse' then 'base' when n.nspname = 'rowhouse' and c.relname <> 'people' then 'rowhouse' else 'elsewhere' end as place
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'v')`;

export const placesOf = (rows: readonly Place[]): Facts['places'] =>
  new Map(rows.map(({ oid, place }) => [oid, place]));

/**
 * For a statement that cannot be judged later, since its transaction changes columns: in that transaction, just before it. The text is in the setting `judge.text`, its
 * tree will be in `judge.tree`. Nothing of it stays.
 */
export const readOnTheSpot = `do $judge$
  declare
    given text := current_setting('judge.text');
    types text;
  begin
    perform set_config('judge.tree', '', true);
    execute 'prepare judged as ' || given;
    select string_agg(of::text, ',' order by at) into types from pg_prepared_statements, unnest(parameter_types) with ordinality p(of, at) where name = 'judged';
    execute 'deallocate judged';
    begin
      execute format('create function pg_temp.judged(%s) returns void language sql begin atomic %s; end', types, given);
      raise exception using errcode = 'JUDGE', message = (select prosqlbody::text from pg_proc where proname = 'judged' and pronamespace = pg_my_temp_schema());
    exception when sqlstate 'JUDGE' then
      perform set_config('judge.tree', sqlerrm, true);
    end;
  exception when others then
    null;
  end $judge$`;

/** Opens a judge on a connection of its own, in a transaction that is taken back. */
export const readFacts = async (client: pg.Client): Promise<Facts> => {
  const functions = (
    await client.query<{ oid: string; name: string; volatility: string }>(
      'select oid::text, oid::regproc::text as name, provolatile as volatility from pg_proc',
    )
  ).rows;
  const operators = (
    await client.query<{ oid: string; code: string }>('select oid::text, oprcode::oid::text as code from pg_operator')
  ).rows;
  const places = placesOf((await client.query<Place>(placesQuestion)).rows);
  const ours = (
    await client.query<{ oid: string; name: string; text: string }>(
      "select oid::text, proname as name, prosrc as text from pg_proc where pronamespace = 'rowhouse'::regnamespace",
    )
  ).rows;
  const catching = new Set(ours.filter(({ text }) => /\bexception\s+when\b/.test(text)).map(({ name }) => name));
  for (let size = -1; size < catching.size; ) {
    size = catching.size;
    for (const { name, text } of ours)
      if ([...catching].some((one) => text.includes(`rowhouse.${one}(`))) catching.add(name);
  }
  return {
    volatility: new Map(functions.map(({ oid, volatility }) => [oid, volatility])),
    names: new Map(functions.map(({ oid, name }) => [oid, name])),
    operators: new Map(operators.map(({ oid, code }) => [oid, code])),
    catching: new Set(ours.filter(({ name }) => catching.has(name)).map(({ oid }) => oid)),
    places,
  };
};

/** Undefined: it is no statement that can be read, or its tables are gone. */
export const judge = async (
  client: pg.Client,
  text: string,
  facts: Facts,
  by: (tree: Tree, facts: Facts) => string[] = refusedBy,
): Promise<string[] | undefined> => {
  if (!readable.test(text)) return undefined;
  await client.query('savepoint judged');
  try {
    await client.query(`prepare judged as ${text}`);
    const {
      rows: [prepared],
    } = await client.query<{ types: string[] }>(
      "select parameter_types::text[] as types from pg_prepared_statements where name = 'judged'",
    );
    await client.query('deallocate judged');
    // A function has a hundred parameters at most: those of a longer statement are written as values.
    const types = prepared?.types ?? [];
    const isLong = types.length > 100;
    const body = isLong ? text.replaceAll(/\$(\d+)/g, (_all, at: string) => `null::${types[Number(at) - 1]}`) : text;
    await client.query(
      `create function pg_temp.judged(${isLong ? '' : types.join()}) returns void language sql begin atomic ${body}; end`,
    );
    const {
      rows: [made],
    } = await client.query<{ tree: string }>(
      "select prosqlbody::text as tree from pg_proc where proname = 'judged' and pronamespace = pg_my_temp_schema()",
    );
    return by(readTree(made?.tree ?? ''), facts);
  } catch (error) {
    // 22P02: a constant that is read as of the type that its column has now.
    if (/^(42|3F|22P02)/.test((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  } finally {
    await client.query('rollback to savepoint judged');
    await client.query('deallocate all');
  }
};
