// What takes longest, with what holds its rule within `npm test`. `npm run test:long` runs it, and so does CI, after the rest:
// a suite that one waits for is run less. Nothing that `npm test` no longer runs is left to chance (ADR 189).

/** `quick`: without these; `long`: these alone; otherwise everything, as when a file is run by its name. */
const part = process.env['TEST_PART'];
if (part !== undefined && part !== 'quick' && part !== 'long') throw new Error('TEST_PART is quick or long');

/** Files of vitest. */
export const longFiles: Readonly<Record<string, string>> = {
  'test/proof/automation': 'automation.test.ts, automation-limits.test.ts; jobs in the crash tests',
  'test/proof/concurrency': 'record-concurrency.test.ts, link-concurrency.test.ts',
  'test/proof/formula': 'formula.test.ts and the unit tests of every function',
  'test/proof/fuzz': 'bad-input.test.ts, record-body.test.ts',
  'test/proof/injection': 'query.test.ts, bad-input.test.ts, field.test.ts',
  'test/proof/kill': 'crash.test.ts, history.test.ts and jobs.test.ts of the crash tests; write-once.test.ts',
  'test/proof/webhook': 'webhook.test.ts, webhook-lanes.test.ts',
  'test/api/access-matrix':
    'record-permissions.test.ts, access-token.test.ts, collaborator.test.ts; what a caller may is asked in the tests of each domain',
  'test/api/audit-actions': 'audit.test.ts; the entries of a domain in its own tests',
  'test/api/backup': 'base-file.test.ts, and the run on an installed PostgreSQL, in CI',
  'test/api/backup-tampered': 'base-file.test.ts',
  'test/api/bound-members': 'bound-places.test.ts, bound-reach.test.ts, sight.test.ts of the server',
  'test/api/bound-model': 'bound-places.test.ts, write-rules.test.ts, masked-cells.test.ts',
  'test/api/canary': 'token-data.test.ts, bound-places.test.ts, masked-cells.test.ts',
  'test/api/extremes': 'request-arrays.test.ts, long-text.test.ts, bad-input.test.ts',
  'test/api/field-convert': 'field.test.ts, link-rules.test.ts; the unit tests of the types of cells',
  'test/api/link-convert': 'link.test.ts, link-rules.test.ts',
  'test/api/link-fill': 'link.test.ts, lookup.test.ts',
  'test/api/link-property': 'link.test.ts, record-property.test.ts',
  'test/api/link-restore': 'link.test.ts, undo.test.ts, record-trash.test.ts',
  'test/api/link-scale': 'link.test.ts, lookup.test.ts',
  'test/api/link-statements': 'record-statements.test.ts; golden SQL of the server',
  'test/api/query-equivalence': 'query.test.ts, color-rule.test.ts',
  'test/api/sight': 'token-data.test.ts, bound-places.test.ts',
  'test/api/token-walk': 'token-data.test.ts, access-token.test.ts',
};

/** Browser tests, by file and by how their title begins. */
export const longTitles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: {
    'an address is verified at sign-up':
      'account-mail.test.ts, account.test.ts; a visitor creates an account, in first-visit',
  },
  automation: {
    'an approval is built': 'automation.test.ts, button.test.ts, automation-draft.test.ts',
  },
  files: {
    'a cell takes files': 'attachment.test.ts; a visitor fills in a form with a file',
  },
  'grid-model': {
    'two people who edit one': 'follow-table.test.ts, record-window.test.ts; the journey has two people',
  },
  links: {
    'a link and what follows': 'link-picker.test.ts, cell-link.test.ts; the journey links its tables',
  },
  order: {
    'tables go into folders': 'node.test.ts, record-order.test.ts, move-target.test.ts, reorder.test.ts',
  },
  'rights-journey': {
    'an owner binds a department': 'rights-explained.test.ts, view-as.test.ts, role-templates.test.ts',
  },
  screens: {
    'home, trash and the pages': 'a page of a base fits on a phone; home and trash have tests of their own',
    'the account, its tokens': 'a page of a base fits on a phone; settings and sign-in have tests of their own',
    'an invitation, the bell': 'invitation.test.ts; people and settings',
  },
  'screens-work': {
    'what visitors of shares see': 'axe looks at the pages of signing in, in screens; shares have tests of their own',
  },
  'table-accessibility': {
    'axe finds nothing serious around':
      'axe looks at the pages of signing in, in screens; keys of the grid in grid-keys',
    'axe finds nothing serious in a record':
      'axe looks at the pages of signing in, in screens; views and records have tests of their own',
  },
  'table-large': {
    'a very large table': 'record-window.test.ts; the grid of the journey',
  },
  trash: {
    'deleting a table asks': 'trash.test.ts; a conversion is undone after a reload, in undo-everywhere',
  },
  webhook: {
    'a webhook is made with a condition': 'webhook.test.ts, webhook-draft.test.ts',
  },
};

const isListed = (path: string): boolean => Object.hasOwn(longFiles, path.replace(/\.test\.ts$/, ''));
const listed = Object.keys(longFiles).map((path) => `${path}.test.ts`);

/** What a configuration of vitest includes and leaves out in this part; `owned` says which of the files it is about. */
export const filesOfPart = (
  include: string[],
  owned: (path: string) => boolean,
): { include: string[]; exclude: string[] } => ({
  include: part === 'long' ? listed.filter((path) => isListed(path) && owned(path)) : include,
  exclude: ['**/node_modules/**', ...(part === 'quick' ? listed : [])],
});

const begins = (title: string): RegExp => new RegExp(`(^| )${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

/** Playwright knows a test by its title. */
export const beginnings = (tests: Readonly<Record<string, Readonly<Record<string, string>>>>): RegExp[] =>
  Object.values(tests).flatMap((titles) => Object.keys(titles).map(begins));

export const titlesOfPart = (): { grep?: RegExp[]; grepInvert: RegExp[] } =>
  part === 'long'
    ? { grep: beginnings(longTitles), grepInvert: [] }
    : { grepInvert: part === 'quick' ? beginnings(longTitles) : [] };
