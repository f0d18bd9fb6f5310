// The import rule of ARCHITECTURE.md: one direction, no cycles, no unlisted folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fieldTypes } from '@rowhouse/contract/field.ts';
import { expect, test } from 'vitest';
import { lonelyExports } from './support/lonely-exports.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** From the ground up: a file imports from its own layer and from those before it. */
const layers = [
  'config',
  'background-errors',
  'optional-part',
  'secret-key',
  'stored-files',
  'trace',
  'recent',
  'db',
  'work',
  'catalog',
  'live',
  'context',
  'endpoint',
  'pipeline',
  'domain',
  'http',
  'realtime',
  'app',
  'telemetry',
  'cli',
  'main',
];

/** A domain imports only from domains before it. */
const domains = [
  'mail',
  'setting',
  'user',
  'access-token',
  'oauth',
  'plan',
  'collaborator',
  'sql-access',
  'space',
  'group',
  'invitation',
  'auth',
  'audit',
  'file',
  'organization',
  'scim',
  'identity',
  'base',
  'formula',
  'cell',
  'computed',
  'field',
  'query',
  'view',
  'record',
  'record-template',
  'feed',
  'comment',
  'export',
  'aggregation',
  'base-query',
  'history',
  'rights',
  'table',
  'dashboard',
  'node',
  'import',
  'share',
  'base-share',
  'explain',
  'personal',
  'notification',
  'webhook',
  'automation',
  'workflow',
  'space-search',
  'trash',
  'template',
  'button',
  'job',
  'billing',
  'setup',
  'backup',
  'admin',
  'absent',
];

/** The app, from the ground up: a file imports from its own folder and from those before it. What is behind `frame` are pages. */
const webFolders = [
  'ui',
  'app',
  'record-data',
  'field-type',
  'view-type',
  'chart',
  'frame',
  'import',
  'auth',
  'home',
  'palette',
  'space',
  'base',
  'automation',
  'webhook',
  'account',
  'organization',
  'oauth',
  'admin',
  'developers',
  'record',
  'dashboard',
  'table',
  'share',
  'shell',
];

/** Files outside of view-type/ that ask for a view type by name, and why. Anything else is in the entry of the type. */
const mayNameViews: Record<string, string> = {
  'web/automation/trigger-form.tsx': 'a form is sent, other views are entered',
  'web/record-data/use-table-records.ts': 'grids read records in pages, others by queries',
  'web/shell/first-screen.ts': 'asks for the records of a grid before the app is there',
};

/** Files of the app outside of the folders of field types that ask for a type by name, or make fields of one, and why. */
const mayNameFieldTypes: Record<string, string> = {
  'web/base/rights/role-templates.ts': 'which fields tell whose a record is, and its state',
  'web/dashboard/chart-draft.ts': 'a type of chart is called number, too',
  'web/dashboard/chart-view.tsx': 'a type of chart is called number, too',
  'web/dashboard/editor/chart-editor.tsx': 'a type of chart is called number, too',
  'web/dashboard/editor/data-fields.tsx': 'a type of chart is called number, too',
  'web/dashboard/editor/look-fields.tsx': 'a type of chart is called number, too',
  'web/dashboard/export-chart.ts': 'a type of chart is called number, too',
  'web/field-type/cell-editor.tsx': 'the list of editors',
  'web/field-type/field-forms.ts': 'the list of forms in the dialog of a field',
  'web/field-type/field-types.ts': 'the list of field types',
  'web/import/import-dialog.tsx': 'what a column of a file can become',
  'web/record-data/columns.ts': 'how wide new columns are',
  'web/record-data/conflict/merge-cell.ts': 'two changes of a long text are merged line by line',
  'web/record-data/live/change-effect.ts': 'every change of a record changes these cells',
  'web/record-data/new-table.ts': 'makes fields',
  'web/share/share-board.tsx': 'a link makes other stacks than a select',
  'web/view-type/calendar/calendar-fields.ts': 'dates that people set before those that are computed',
  'web/view-type/calendar/calendar-type.ts': 'what a new calendar begins with',
  'web/view-type/calendar/new-date-field.tsx': 'makes a field',
  'web/view-type/gantt/new-dependency-field.tsx': 'makes a field',
  'web/view-type/grid/use-grid-keys.ts': 'what one presses on a formula or on a date',
  'web/view-type/kanban/kanban-type.ts': 'what a new board begins with',
  'web/view-type/kanban/kanban-view.tsx': 'a link makes other stacks than a select',
  'web/view-type/kanban/new-select-field.tsx': 'makes a field',
  'web/view-type/kanban/use-stacks.ts': 'which fields make stacks',
};

/** Each field type gives the SQL of its conversions, each function of formulas that of its result; the readiness check asks for nothing. */
const mayWriteSql = /\.sql\.ts$|^db\/|^domain\/cell\/type\/|^domain\/formula\/function(\/|\.ts$)|^http\/server\.ts$/;

/** Files outside domain/cell with words that are also names of field types, and why. None of them asks what a field is. */
const mayNameTypes: Record<string, string> = {
  'server/catalog/reader-values.sql.ts':
    'values of the reader are read with the decision about access, which comes before fields',
  'server/domain/automation/read-definition.ts': 'a condition by a formula',
  'server/domain/automation/run-step.ts': 'a condition by a formula',
  'server/domain/automation/template.ts': 'a part of a template is a formula',
  'server/domain/automation/value.sql.ts': 'a value is made by a formula',
  'server/domain/workflow/translate-step.ts': 'a condition by a formula',
  'server/domain/workflow/translate-value.ts': 'a part of a template is a formula',
  'server/domain/share/plain-copy.ts': 'makes plain fields of all kinds for a copy in another base',
  'server/http/docs-look.ts': 'a word of HTML',
  'server/cli/sample-base.ts': 'the fields of a sample base',
  'server/domain/setup/example-table.ts': 'makes fields',
  'server/domain/table/default-table.ts': 'makes fields',
  'server/domain/file/read-file.ts': 'a word of Content-Disposition',
  'server/domain/import/guess-columns.ts': 'guesses which fields to make',
  'server/domain/import/import-tables.ts': 'makes fields',
  'server/domain/import/other/airtable.ts': 'which fields of Airtable become which here',
  'server/domain/import/other/build-base.ts': 'makes fields',
  'server/domain/import/other/teable.ts': 'which fields of Teable become which here',
  'server/domain/template/definition/content-calendar.ts': 'makes fields',
  'server/domain/template/definition/event-planning.ts': 'makes fields',
  'server/domain/template/definition/inventory-orders.ts': 'makes fields',
  'server/domain/template/definition/project-tracker.ts': 'makes fields',
  'server/domain/template/definition/sales-pipeline.ts': 'makes fields',
  'server/domain/notification/inbox.sql.ts': 'keys of JSON',
  'server/domain/base-query/relation.sql.ts': 'columns of what was computed',
  'server/domain/record/selection/pasted.ts': 'makes fields',
  'server/domain/record/write/deleted-record.sql.ts': 'keys of JSON',
  'server/domain/view/view.sql.ts': 'properties of a view',
  'server/domain/query/sort-key.sql.ts': 'the name of a sort key, which cursors hold',
};

/** Files outside domain/cell that make text or JSON of cells without asking what of a table is seen, and why. All others that do it take a sight. */
const mayRenderUnseen: Record<string, string> = {
  'server/domain/automation/value.sql.ts': 'values that a sight has shown to the automation already',
  'server/domain/explain/explain.sql.ts': 'titles of examples, for those who manage the rights and see everything',
  'server/domain/field/convert-cells.sql.ts': 'writes cells into columns',
  'server/domain/field/convert-history.sql.ts': 'writes cells into the history',
  'server/domain/record/write/link-targets.sql.ts':
    'what a link shows of the records that it leads to: anyone who sees the link sees it',
};

/** What may be shorter than ten lines: anything else that is so short stands better in the file beside it. */
const mayBeShort: [RegExp, string][] = [
  [/(^|\/)main\.ts$/, 'where a program begins'],
  [/^server\/domain\/[\w-]+\/(routes|jobs)\.ts$/, 'every domain has them under these names'],
  [/^server\/db\/(base-)?migrations\/\d{4}-/, 'a numbered step, which is never edited'],
  [/^web\/app\/no-schema\.ts$/, 'takes the place of a package in the bundle'],
  [/^web\/ui\/(class-names\.ts|logo\.tsx)$/, 'used everywhere, and has no neighbour'],
];

const topLevel: Record<string, string[]> = {
  web: [
    ...webFolders,
    'dist',
    'font.css',
    'index.html',
    'main.ts',
    'node_modules',
    'package.json',
    'public',
    'share.html',
    'style.css',
    'tsconfig.json',
    'vite.config.ts',
  ],
  server: [
    'app.ts',
    'background-errors.test.ts',
    'background-errors.ts',
    'bin',
    'catalog',
    'cli',
    'config-value.ts',
    'config.test.ts',
    'config.ts',
    'context.ts',
    'declare-setting.ts',
    'db',
    'dist',
    'domain',
    'endpoint',
    'http',
    'live.ts',
    'main.ts',
    'node_modules',
    'optional-part.ts',
    'package.json',
    'pipeline',
    'realtime',
    'recent.ts',
    'secret-key.test.ts',
    'secret-key.ts',
    'settings.ts',
    'stored-files.ts',
    'telemetry',
    'trace.ts',
    'work',
  ],
  test: [
    'api',
    'architecture.test.ts',
    'browser',
    'client-changes.test.ts',
    'compatibility.test.ts',
    'examples.test.ts',
    'crash',
    'dependencies.test.ts',
    'deploy.test.ts',
    'release.test.ts',
    'documents.test.ts',
    'load',
    'proof',
    'support',
    'check',
    'vitest.check.config.ts',
    'vitest.program.config.ts',
  ],
};

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'node_modules' || name === 'dist') return [];
    return statSync(join(root, path)).isDirectory() ? filesBelow(path) : /\.tsx?$/.test(name) ? [path] : [];
  });

interface Import {
  from: string;
  to: string;
  /** Gone after compilation: cannot make a cycle. */
  onlyTypes: boolean;
  /** Loaded when it is wanted, by a file that is there: in the app that is no cycle either. */
  isLater: boolean;
}

const importForm =
  /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

const importsOf = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importForm)].map((match) => {
    const target = (match[3] ?? match[4] ?? match[5]) as string;
    const to = target.startsWith('.')
      ? relative(root, resolve(root, dirname(file), target))
      : target.replace(/^@rowhouse\//, '');
    return {
      from: file,
      to,
      onlyTypes: match[1] !== undefined,
      isLater: file.startsWith('web/') && match[5] !== undefined,
    };
  });

const isTest = (file: string): boolean => file.endsWith('.test.ts');
const inServer = (path: string): string | undefined =>
  path.startsWith('server/') ? path.slice('server/'.length) : undefined;
const layerOf = (path: string): string => (path.split('/')[0] as string).replace(/\.ts$/, '');
const serverImports = filesBelow('server')
  .filter((file) => !isTest(file))
  .flatMap(importsOf);

const broken = (imports: Import[], allowed: (from: string, to: string, item: Import) => boolean): string[] =>
  imports.filter((item) => !allowed(item.from, item.to, item)).map(({ from, to }) => `${from} → ${to}`);

test('imports between the layers of the server go one way only', () => {
  const upwards = broken(serverImports, (from, to) => {
    const [one, other] = [inServer(from) as string, inServer(to)];
    if (other === undefined) return true;
    return layers.indexOf(layerOf(other)) <= layers.indexOf(layerOf(one));
  });
  expect(upwards).toEqual([]);
});

test('a domain imports only from domains before it', () => {
  const domainOf = (path: string): number => domains.indexOf(path.split('/')[2] as string);
  const between = serverImports.filter(
    ({ from, to }) => from.startsWith('server/domain/') && to.startsWith('server/domain/'),
  );
  expect(broken(between, (from, to) => domainOf(to) <= domainOf(from))).toEqual([]);
});

test('http and realtime do not import each other', () => {
  const across = (one: string, other: string): boolean =>
    one.startsWith('server/http/') && other.startsWith('server/realtime/');
  expect(broken(serverImports, (from, to) => !across(from, to))).toEqual([]);
});

const webImports = filesBelow('web')
  .filter((file) => !isTest(file))
  .flatMap(importsOf)
  .filter(({ to }) => to.startsWith('web/') && /\.tsx?$/.test(to));

test('imports between the folders of the app go one way only', () => {
  // web/main.ts and the configuration are above all of them.
  const folderOf = (path: string): number => {
    const at = webFolders.indexOf(path.split('/')[1] as string);
    return at === -1 ? webFolders.length : at;
  };
  expect(broken(webImports, (from, to) => folderOf(to) <= folderOf(from))).toEqual([]);
});

test('no two folders of the app import each other, but for one inside of the other', () => {
  const pairs = new Map<string, string>();
  for (const { from, to } of webImports) pairs.set(`${dirname(from)} ${dirname(to)}`, `${from} → ${to}`);
  const both = [...pairs].filter(([pair]) => {
    const [one = '', other = ''] = pair.split(' ');
    return one < other && !other.startsWith(`${one}/`) && pairs.has(`${other} ${one}`);
  });
  expect(both.map(([, example]) => example)).toEqual([]);
});

test('what a view type does is in its folder: nothing else asks for types by name', () => {
  const found = filesBelow('web').filter(
    (file) =>
      !isTest(file) &&
      !file.startsWith('web/view-type/') &&
      /\btype [!=]== '(grid|kanban|gallery|calendar|timeline|gantt|form)'|viewType [!=]== '/i.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  );
  expect(found.toSorted()).toEqual(Object.keys(mayNameViews).toSorted());
});

test('what the server and the app share of a view type is in its file of the contract: the server asks for none by name', () => {
  const found = ['server', 'contract']
    .flatMap(filesBelow)
    .filter(
      (file) =>
        !isTest(file) &&
        /\b(type|viewType)\)? [!=]== '(grid|kanban|gallery|calendar|timeline|gantt|form)'/i.test(
          readFileSync(join(root, file), 'utf8'),
        ),
    );
  // Types of Airtable's views; cards of a template begin with some fields.
  expect(found).toEqual(['server/domain/import/other/airtable.ts', 'server/domain/template/build-definition.ts']);
});

test('what a field type does is in its folder: nothing else asks for types by name', () => {
  const folderOf = (type: string): string => type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const ofTypes = new RegExp(`^web/field-type/(${[...fieldTypes, 'lookup'].map(folderOf).join('|')})/`);
  const name = `'(${[...fieldTypes, 'lookup'].join('|')})'`;
  const asks = new RegExp(
    `\\btype\\)? [!=]== ${name}|\\bcase ${name}:|\\btype: ${name}|^ +${name},$|^ +(${fieldTypes.filter((type) => /[A-Z]/.test(type)).join('|')})(: \\w+)?,$|\\[(${name}(, )?)+\\]`,
    'm',
  );
  const found = filesBelow('web').filter(
    (file) => !isTest(file) && !ofTypes.test(file) && asks.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.toSorted()).toEqual(Object.keys(mayNameFieldTypes).toSorted());
});

test.each([
  ['server', serverImports],
  ['web', webImports],
])('no file of the %s imports itself by way of others', (folder, imports) => {
  const graph = new Map<string, string[]>();
  for (const { from, to, onlyTypes, isLater } of imports)
    if (!onlyTypes && !isLater && to.startsWith(`${folder}/`)) graph.set(from, [...(graph.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  expect(cycles).toEqual([]);
});

test('Fastify is known to http and realtime alone', () => {
  // The reader of forms is of the same makers, and knows nothing of it.
  const users = serverImports.filter(({ to }) => /^@?fastify(\/|$)/.test(to) && to !== '@fastify/busboy');
  expect(
    broken(
      users,
      (from, _to, { onlyTypes }) => /^server\/(http|realtime)\//.test(from) || (from === 'server/app.ts' && onlyTypes),
    ),
  ).toEqual([]);
});

test('only the pipeline reads remembered schemas', () => {
  const readers = filesBelow('server').filter(
    (file) =>
      !isTest(file) &&
      /\bcatalog\s*\??\.get\b|\{[^}=]*\bget\b[^}=]*\}\s*=\s*[\w.]*catalog\b/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  );
  expect(readers.filter((file) => !file.startsWith('server/pipeline/'))).toEqual([]);
});

test('SQL is written in *.sql.ts and db/ alone', () => {
  const writers = filesBelow('server').filter(
    (file) => /\bsql`/.test(readFileSync(join(root, file), 'utf8')) && !isTest(file),
  );
  expect(writers.map((file) => inServer(file) as string).filter((file) => !mayWriteSql.test(file))).toEqual([]);
});

test('text becomes part of a statement through the sql tag alone, and text of a file in one place', () => {
  const files = filesBelow('server').filter((file) => !isTest(file));
  const using = (pattern: RegExp): string[] =>
    files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  // The compiler sees to it that `sql.raw` gets constants; a cast would hide what it is given.
  expect(using(/sql\.raw\([^)]*\bas (never|any)\b/)).toEqual([]);
  expect(using(/new Sql\(/)).toEqual(['server/db/sql.ts']);
  expect(using(/sql\.matching\(/)).toEqual(['server/domain/backup/rebuild.sql.ts']);
});

test('what a type of field knows is in domain/cell: nothing else asks for types by name', () => {
  // `number`, `date`, `user`, `link` and `count` are words for much else: they count where they are compared with the type of something.
  const words = ['number', 'date', 'user', 'link', 'count'];
  const names = new RegExp(
    `'(${fieldTypes.filter((name) => !words.includes(name)).join('|')})'|\\.type [!=]== '(${words.join('|')})'`,
  );
  const found = filesBelow('server').filter(
    (file) =>
      !isTest(file) && !file.startsWith('server/domain/cell/') && names.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.toSorted()).toEqual(Object.keys(mayNameTypes).toSorted());
});

test('what makes text or JSON of cells takes a sight', () => {
  const renders = /\b(?:cellTypeOf\((?:[^()]|\([^()]*\))*\)|cells|type)\.(?:json|text)\(/;
  const files = filesBelow('server')
    .filter((file) => !isTest(file) && !file.startsWith('server/domain/cell/'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const found = files.filter(
    ({ text }) => renders.test(text) && !/\bSight\b/.test(text.replaceAll(/\/\/.*|^import.*/gm, '')),
  );
  expect(found.map(({ file }) => file).toSorted()).toEqual(Object.keys(mayRenderUnseen).toSorted());
  // Whole records are written down when they are deleted, and nowhere else.
  const stored = files.filter(({ text }) => /\bstored(?:Record)?Json\(/.test(text)).map(({ file }) => file);
  expect(stored.toSorted()).toEqual([
    'server/domain/record/read/json.sql.ts',
    'server/domain/record/write/delete.sql.ts',
    'server/domain/record/write/deleted-record.sql.ts',
  ]);
});

const serverFilesWith = (pattern: RegExp): string[] =>
  filesBelow('server')
    .filter((file) => !isTest(file) && pattern.test(readFileSync(join(root, file), 'utf8')))
    .toSorted();

test('who has which role is read in one place', () => {
  const found = filesBelow('server').filter(
    (file) =>
      !isTest(file) &&
      /rowhouse\.collaborators/.test(readFileSync(join(root, file), 'utf8').replaceAll(/^\s*\/\/.*/gm, '')),
  );
  expect(found.toSorted()).toEqual(['server/catalog/role.sql.ts', 'server/domain/collaborator/collaborator.sql.ts']);
  // Roles as they were given say nothing of groups: only what shows, counts or writes them asks for these.
  expect(serverFilesWith(/\bgivenRoles\b/)).toEqual([
    'server/catalog/role.sql.ts',
    'server/domain/collaborator/collaborator-list.sql.ts',
    'server/domain/collaborator/collaborator.sql.ts',
    'server/domain/group/group.sql.ts',
  ]);
});

test('conditions on cells become SQL in one place', () => {
  expect(serverFilesWith(/\.condition\(/)).toEqual([
    'server/domain/cell/filter.sql.ts',
    'server/domain/cell/kind/list.sql.ts',
  ]);
});

test('what statements look like because of Citus is in one file, and what is asked of Citus in db/', () => {
  expect(serverFilesWith(/\bForked\b/)).toEqual(['server/db/cluster-form.ts', 'server/db/sql.ts']);
  const asking = serverFilesWith(/\b(hasCitus|findCitus|isForCluster|pg_dist_\w+|citus_\w+)\b/);
  expect(asking.filter((file) => !/^server\/(db|cli)\//.test(file))).toEqual([]);
});

test('the language of the browser is asked for in one place', () => {
  const asking = filesBelow('web').filter(
    (file) => !isTest(file) && /navigator\.languages?\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(asking).toEqual(['web/ui/language.ts']);
});

test('nobody is led on after a wait without being asked whether they are still there', () => {
  // Who signs in or out, ends the account, or answers an application, leaves every page; the address of a view that is dragged is completed at once.
  const everywhere = [
    'web/account/delete-account-section.tsx',
    'web/account/password-form.tsx',
    'web/auth/reset-password-page.tsx',
    'web/auth/use-enter.ts',
    'web/frame/user-menu.tsx',
    'web/oauth/consent-page.tsx',
    'web/table/sidebar/view-links.tsx',
  ];
  const leading = filesBelow('web').filter(
    (file) =>
      !isTest(file) &&
      /\bawait (\(\s*[^;=]*\?\s*)?(router\.)?navigate\(|\.then\([^;]*\bnavigate\(|onSuccess: [^;]*=> [^;]*(\bnavigate|location\.assign)\(/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  );
  expect(leading.filter((file) => !everywhere.includes(file))).toEqual([]);
  expect(everywhere.filter((file) => !leading.includes(file))).toEqual([]);
});

test('the app makes no HTML of text: what React renders stays text', () => {
  const making = filesBelow('web').filter(
    (file) =>
      !isTest(file) &&
      /dangerouslySetInnerHTML|\.(innerHTML|outerHTML|srcdoc) \+?= |\bsrcDoc=|insertAdjacentHTML|createContextualFragment|document\.write|\beval\(|new Function\(/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  );
  expect(making).toEqual([]);
});

test('what needs what is followed in one place', () => {
  expect(serverFilesWith(/for \(let \w+ = [^;]*; \w+ < \w+\.size/)).toEqual(['server/catalog/dependency.ts']);
  expect(serverFilesWith(/\bconst (cycle\w*|downstream|upstream|broken\w*) = (<|\(\w*: Needs|\(needs)/)).toEqual([
    'server/catalog/dependency.ts',
  ]);
});

test('nothing in the server makes the hashes of passwords cheap', () => {
  expect(
    filesBelow('server').filter(
      (file) => !isTest(file) && /\bhashCheaply\b/.test(readFileSync(join(root, file), 'utf8')),
    ),
  ).toEqual(['server/domain/user/password.ts']);
});

test('a file has ten lines or more, or it joins its neighbour', () => {
  const operations = new Set(serverImports.filter(({ from }) => from.endsWith('/routes.ts')).map(({ to }) => to));
  const short = ['contract', 'server', 'web']
    .flatMap(filesBelow)
    .filter((file) => !isTest(file) && readFileSync(join(root, file), 'utf8').split('\n').length - 1 < 10);
  // One operation per file, however short.
  expect(short.filter((file) => !operations.has(file) && !mayBeShort.some(([form]) => form.test(file)))).toEqual([]);
});

/** The files that are still longer: no other is to join them, and one that has become shorter leaves. */
const mayBeLong = [
  'contract/authority-matrix.ts',
  'contract/filter.ts',
  'contract/formula.ts',
  'contract/share.ts',
  'proof/isolation/shares.ts',
  'server/db/db.ts',
  'server/domain/automation/run-step.ts',
  'server/domain/field/lookup-field.ts',
  'server/domain/record/write/create-records.ts',
  'server/domain/record/write/update.sql.ts',
  'server/realtime/socket/open-socket.ts',
];

test('a file has 400 lines at most; a longer one is split where a reader would look for a part of it', () => {
  const long = ['contract', 'server', 'web', 'proof', 'bench']
    .flatMap(filesBelow)
    .filter((file) => !isTest(file) && readFileSync(join(root, file), 'utf8').split('\n').length - 1 > 400);
  expect(long.filter((file) => !mayBeLong.includes(file))).toEqual([]);
  expect(mayBeLong.filter((file) => !long.includes(file))).toEqual([]);
});

test('what a file exports is imported by another', () => {
  expect(lonelyExports(root)).toEqual([]);
});

test('a word of the glossary is the name of one type', () => {
  const words = [...readFileSync(join(root, 'docs/glossary.md'), 'utf8').matchAll(/^\*\*([A-Z][a-z]+)\.?\*\*/gm)].map(
    ([, word]) => word as string,
  );
  expect(words).toEqual(expect.arrayContaining(['Sight', 'Guard', 'Slot', 'Plan', 'Place']));
  // A cell is whatever stands in one: in a request, in SQL, in a filter.
  const single = new RegExp(
    `^(?:export )?(?:interface|type|class) ((?:${words.filter((word) => word !== 'Cell').join('|')})s?)\\b`,
    'gm',
  );
  const places = new Map<string, string[]>();
  for (const file of ['contract', 'server', 'web', 'proof', 'bench'].flatMap(filesBelow)) {
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(single))
      places.set(name, [...(places.get(name) ?? []), file]);
  }
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('the contract imports nothing of the server or the web app, the web app nothing of the server', () => {
  const contract = broken(filesBelow('contract').flatMap(importsOf), (_from, to) => !/^(server|web)\//.test(to));
  const web = broken(filesBelow('web').flatMap(importsOf), (_from, to) => !to.startsWith('server/'));
  expect([...contract, ...web]).toEqual([]);
});

test('there is no folder or domain that is not listed', () => {
  const unlisted = Object.entries(topLevel).flatMap(([folder, known]) =>
    readdirSync(join(root, folder))
      .filter((name) => !known.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  const unknown = readdirSync(join(root, 'server/domain'))
    .filter((name) => !domains.includes(name))
    .map((name) => `server/domain/${name}`);
  expect([...unlisted, ...unknown]).toEqual([]);
});
