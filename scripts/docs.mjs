// Makes the site of the documents from the same Markdown that people read in the repository: docs/dist, which the server sends at /docs.
// Pages, images and files are found by following links from the README, so that none is forgotten and none leads nowhere.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { Marked } from 'marked';
import { root } from './install.mjs';

const output = join(root, 'docs/dist');

/** The list on the left. Decisions are listed by their index, other pages are found by links and the search. */
const navigation = [
  [
    'Use it',
    [
      'README.md',
      'guide/tables',
      'guide/links',
      'guide/formulas',
      'guide/colours',
      'guide/timeline',
      'guide/dashboards',
      'guide/sharing',
      'guide/automations',
    ],
  ],
  [
    'Run it',
    ['guide/operate', 'guide/settings', 'guide/sign-in', 'guide/rights', 'guide/plans', 'guide/scale', 'proof'],
  ],
  [
    'Program it',
    ['guide/api', 'guide/webhooks', 'guide/automations-api', 'guide/sql-access', 'errors', 'compatibility'],
  ],
  [
    'Change it',
    ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'glossary', 'adr/README', 'SECURITY.md', 'CHANGELOG.md', 'licences'],
  ],
].map(([title, names]) => [title, names.map((name) => (name.endsWith('.md') ? name : `docs/${name}.md`))]);

const titles = { 'README.md': 'What Rowhouse is' };

const escape = (text) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character]);

/** Where a file of the repository is on the site. */
const placeOf = (path) => {
  if (path === 'README.md') return '';
  const name = path.replace(/^docs\//, '');
  if (!path.endsWith('.md')) return name.startsWith('images/') ? name : `file/${name}`;
  return name
    .replace(/\/README\.md$/, '')
    .replace(/\.md$/, '')
    .replace(/^([A-Z]+)$/, (word) => word.toLowerCase());
};
const addressOf = (path) => `/docs${placeOf(path) === '' ? '' : `/${placeOf(path)}`}`;

/** As GitHub names headings, so that one link works in both places. */
const createSlugs = () => {
  const taken = new Map();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
};

const plain = (html) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const isFolder = (path) => statSync(join(root, path)).isDirectory();

/** A page of Markdown, with what it links to. */
const render = (path) => {
  const slug = createSlugs();
  const headings = [];
  const targets = [];
  const link = (href) => {
    if (/^(https?:|mailto:|#)/.test(href)) return href;
    const [, name, fragment = ''] = /^([^#]*)(#.*)?$/.exec(href);
    const target = posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(name))).replace(/\/$/, '');
    // What a build in a container leaves out is named, and not linked.
    if (target.startsWith('..') || !existsSync(join(root, target))) return undefined;
    targets.push(target);
    return `${addressOf(target)}${fragment}`;
  };
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = slug(plain(html));
        headings.push({ depth, id, text: plain(html) });
        return depth === 1
          ? `<h1 id="${id}">${html}</h1>\n`
          : `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this part">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const to = link(href);
        return to === undefined ? html : `<a href="${escape(to)}">${html}</a>`;
      },
      image({ href, text }) {
        const from = link(href);
        return from === undefined
          ? escape(text)
          : `<a class="picture" href="${escape(from)}"><img src="${escape(from)}" alt="${escape(text)}" loading="lazy"></a>`;
      },
      table(token) {
        const cell = (tag, { tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const head = token.header.some(({ text }) => text !== '')
          ? `<thead><tr>${token.header.map((one) => cell('th', one)).join('')}</tr></thead>`
          : '';
        const rows = token.rows.map((row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`).join('\n');
        return `<div class="wide" role="region" aria-label="Table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
      code({ text, lang = '' }) {
        const kind = /^\w+/.exec(lang)?.[0] ?? '';
        return `<pre tabindex="0"${kind === '' ? '' : ` data-kind="${kind}"`}><code>${escape(text)}\n</code></pre>\n`;
      },
      // Comments are for tests; anything else is text that happens to have angle brackets.
      html({ text }) {
        return /^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escape(text);
      },
    },
  });
  const html = marked.parse(readFileSync(join(root, path), 'utf8').replace(/^<!--[^\n]*-->\n/gm, ''));
  const title = titles[path] ?? headings.find(({ depth }) => depth === 1)?.text ?? posix.basename(path, '.md');
  return { path, title, html, headings, targets };
};

const filesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(posix.join(folder, entry.name)) : [posix.join(folder, entry.name)],
    );

/** A folder or a file that is no Markdown, such as one to deploy with. */
const renderOther = (path) => {
  if (isFolder(path)) {
    const files = filesIn(path);
    const items = files
      .map((file) => `<li><a href="${addressOf(file)}"><code>${escape(file)}</code></a></li>`)
      .join('');
    return { path, title: path, html: `<h1>${escape(path)}</h1><ul>${items}</ul>`, headings: [], targets: files };
  }
  const text = readFileSync(join(root, path), 'utf8');
  return {
    path,
    title: path,
    html: `<h1>${escape(path)}</h1><pre tabindex="0"><code>${escape(text)}</code></pre>`,
    headings: [],
    targets: [],
  };
};

const isImage = (path) => /\.(png|svg|jpe?g|webp)$/.test(path);

/** Everything that can be reached. */
const collect = () => {
  const pages = new Map();
  const images = new Set();
  const waiting = navigation.flatMap(([, paths]) => paths).filter((path) => existsSync(join(root, path)));
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path) || images.has(path)) continue;
    if (isImage(path)) {
      images.add(path);
      continue;
    }
    const page = path.endsWith('.md') ? render(path) : renderOther(path);
    pages.set(path, page);
    waiting.push(...page.targets);
  }
  return { pages, images };
};

const navigationHtml = (pages, path) =>
  navigation
    .map(
      ([title, paths]) =>
        `<h2>${title}</h2><ul>${paths
          .filter((one) => pages.has(one))
          .map(
            (one) =>
              `<li><a href="${addressOf(one)}"${one === path || (one === 'docs/adr/README.md' && path.startsWith('docs/adr/')) ? ' aria-current="page"' : ''}>${escape(pages.get(one).title)}</a></li>`,
          )
          .join('')}</ul>`,
    )
    .join('');

const contentsHtml = (headings) => {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  return shown.length < 2
    ? ''
    : `<aside class="contents" aria-label="On this page"><h2>On this page</h2><ul>${shown
        .map(({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escape(text)}</a></li>`)
        .join('')}</ul></aside>`;
};

/** The page before and after this one, in the order of the list. */
const neighbours = (pages, path) => {
  const order = navigation.flatMap(([, paths]) => paths).filter((one) => pages.has(one));
  const at = order.indexOf(path);
  if (at === -1) return '';
  const to = (one, label) =>
    one === undefined
      ? '<span></span>'
      : `<a href="${addressOf(one)}"><small>${label}</small>${escape(pages.get(one).title)}</a>`;
  return `<nav class="neighbours" aria-label="Next pages">${to(order[at - 1], 'Before')}${to(order[at + 1], 'Next')}</nav>`;
};

const frame = (pages, { path, title, html, headings }, { style, script }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${path === 'README.md' ? 'Rowhouse documentation' : `${escape(title)} · Rowhouse`}</title>
<link rel="icon" href="/docs/images/icon.svg" type="image/svg+xml">
<script src="${script}"></script>
<link rel="stylesheet" href="${style}">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="pages" aria-label="Pages"><span></span><span></span><span></span></button>
<a class="name" href="/docs">Rowhouse <span>Docs</span></a>
<div class="search" role="search"><input id="search" type="search" placeholder="Search" aria-label="Search the documents" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found"><ul id="found" role="listbox" aria-label="What was found" hidden></ul></div>
<nav class="beside" aria-label="Elsewhere"><a href="/api/docs">API reference</a><a href="/">Open the app</a></nav>
<button type="button" id="theme" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">${navigationHtml(pages, path)}</nav>
<main id="content" tabindex="-1">
${html}
${neighbours(pages, path)}
</main>
${contentsHtml(headings)}
</div>
</body>
</html>
`;

const longest = 1_500;

/** One entry for each part under a heading; decisions and other long lists by less of their text. */
const indexOf = (pages) =>
  [...pages.values()]
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, title, html }) => {
      const parts = html.split(/(?=<h[1-6] id=")/);
      return parts.flatMap((part) => {
        const [, id, heading = ''] = /^<h[1-6] id="([^"]*)">([\s\S]*?)(?: <a class="anchor"|<\/h)/.exec(part) ?? [];
        const text = plain(part.replace(/^<h[1-6][\s\S]*?<\/h[1-6]>/, '').replaceAll(/<\/(td|th|li|p)>/g, ' '))
          .replace(/\s+/g, ' ')
          .trim();
        if (id === undefined && text === '') return [];
        return [
          {
            a: `${addressOf(path)}${id === undefined || part.startsWith('<h1') ? '' : `#${id}`}`,
            p: title,
            h: plain(heading) === title ? '' : plain(heading),
            t: text.slice(0, longest),
          },
        ];
      });
    });

const write = (name, content) => {
  const file = join(output, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  if (!/\.(html|css|js|json)$/.test(name)) return;
  const bytes = Buffer.from(content);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
};

const hashed = (name, content) =>
  `${name.replace(/\.\w+$/, '')}-${createHash('sha256').update(content).digest('hex').slice(0, 10)}${extname(name)}`;

/** Answers how many pages there are. */
export const buildDocs = () => {
  rmSync(output, { recursive: true, force: true });
  const { pages, images } = collect();
  const index = JSON.stringify(indexOf(pages));
  const indexName = hashed('search.json', index);
  const style = readFileSync(join(root, 'scripts/docs/site.css'), 'utf8');
  const script = readFileSync(join(root, 'scripts/docs/site.js'), 'utf8').replace(
    '/docs/search.json',
    `/docs/assets/${indexName}`,
  );
  const names = { style: hashed('site.css', style), script: hashed('site.js', script) };
  write(`assets/${indexName}`, index);
  write(`assets/${names.style}`, style);
  write(`assets/${names.script}`, script);
  const assets = { style: `/docs/assets/${names.style}`, script: `/docs/assets/${names.script}` };
  for (const page of pages.values())
    write(placeOf(page.path) === '' ? 'index.html' : `${placeOf(page.path)}.html`, frame(pages, page, assets));
  const missing = {
    path: 'missing',
    title: 'No such page',
    html: '<h1>No such page</h1><p>The search above knows all of them, and so does <a href="/docs">the first one</a>.</p>',
    headings: [],
  };
  write('missing.html', frame(pages, missing, assets));
  mkdirSync(join(output, 'images'), { recursive: true });
  cpSync(join(root, 'web/public/icon.svg'), join(output, 'images/icon.svg'));
  for (const path of images) {
    mkdirSync(dirname(join(output, placeOf(path))), { recursive: true });
    cpSync(join(root, path), join(output, placeOf(path)));
  }
  return pages.size;
};
