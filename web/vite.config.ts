import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const folder = import.meta.dirname;
/** While developing: where the API is. */
const server = process.env['ROWHOUSE_SERVER'] ?? 'http://127.0.0.1:3000';

// The server sends these as they are, so that no request pays for compression.
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir: dist = folder }) {
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      const path = join(dist, name);
      if (!/\.(js|css|html|svg)$/.test(name) || statSync(path).size < 1_024) continue;
      const bytes = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});

// The grid library loads its editor on demand, and React waits 300 ms before it shows what was loaded so: the first
// keys typed on a cell would be lost. This makes it part of the grid's chunk.
const eagerEditor = (): Plugin => ({
  name: 'eager-editor',
  transform(code, id) {
    if (!id.endsWith('glide-data-grid/dist/esm/data-editor/data-editor.js')) return undefined;
    const lazy = /const DataGridOverlayEditor = React\.lazy\(async \(\) => await import\("([^"]+)"\)\);/;
    if (!lazy.test(code)) throw new Error('The grid library has changed: look how it loads DataGridOverlayEditor now');
    return code.replace(lazy, 'import DataGridOverlayEditor from "$1";');
  },
});

interface Node {
  type: string;
  start: number;
  end: number;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const nodesIn = (value: unknown): Node[] =>
  Array.isArray(value)
    ? value.flatMap(nodesIn)
    : isNode(value)
      ? [value, ...Object.values(value).flatMap(nodesIn)]
      : [];

// Of an endpoint the browser needs where it is and whether its answer is a stream, no schemas: they and the library they are made with would be a sixth of
// all scripts. What still mentions them gets empty ones (app/no-schema.ts).
const bareContract = (): Plugin => ({
  name: 'bare-contract',
  apply: 'build',
  transform(code, id) {
    if (!/\/contract\/[a-z-]+\.ts$/.test(id)) return undefined;
    const calls = nodesIn(this.parse(code)).filter(
      (node): node is Node & { arguments: [{ properties: Node[] }] } =>
        node.type === 'CallExpression' && (node as unknown as { callee: { name?: string } }).callee.name === 'endpoint',
    );
    let bare = code;
    for (const {
      arguments: [{ properties }],
    } of calls.sort((one, other) => other.start - one.start)) {
      const kept = properties
        .map(({ start, end }) => code.slice(start, end))
        .filter((text) => /^(method|path)\b|^response:\s*stream\(/.test(text));
      // What a spread brings would be missing in the app alone: it would ask another address, or by another method.
      if (['method', 'path'].some((name) => !kept.some((text) => text.startsWith(name))))
        throw new Error(`An endpoint of ${id} does not say its method and path itself`);
      const [first, last] = [properties[0], properties.at(-1)];
      if (first !== undefined && last !== undefined)
        bare = bare.slice(0, first.start) + kept.join(', ') + bare.slice(last.end);
    }
    return { code: bare, map: null };
  },
});

// The entry asks for the app at once, and the first text for the font; named in the page, the browser fetches all together.
const preloadApp = (): Plugin => ({
  name: 'preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {}, filename }) {
      // The page of a share loads what it needs by itself.
      if (!filename.endsWith('index.html')) return [];
      const files = new Set<string>();
      const add = (fileName: string): void => {
        const chunk = bundle[fileName];
        if (chunk?.type !== 'chunk' || chunk.isEntry || files.has(fileName)) return;
        files.add(fileName);
        chunk.imports.forEach(add);
      };
      const app = Object.values(bundle).find(
        (chunk) => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/shell/start.tsx'),
      );
      if (app === undefined) throw new Error('shell/start.tsx is not a chunk of its own any more');
      add(app.fileName);
      const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal/.test(file));
      if (font === undefined) throw new Error('The font is not in the bundle any more');
      const links = [
        ...[...files].map((file) => ({ rel: 'modulepreload', href: `/${file}` })),
        { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}` },
      ];
      return links.map((attrs) => ({ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' as const }));
    },
  },
});

export default defineConfig({
  root: folder,
  resolve: { alias: [{ find: /^typebox$/, replacement: join(folder, 'app/no-schema.ts') }] },
  plugins: [react(), tailwindcss(), eagerEditor(), bareContract(), preloadApp(), precompress()],
  optimizeDeps: { exclude: ['@glideapps/glide-data-grid'] },
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      input: { index: join(folder, 'index.html'), share: join(folder, 'share.html') },
      treeshake: { manualPureFunctions: ['Type', 'text'] },
      // Few files: each one costs a request, and there are six at a time. A group takes along what its modules import, unless
      // a group above has it.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'first',
              test: /vite\/preload-helper|\/contract\/|\/web\/(app\/(early|no-schema|stream-hub)|ui\/theme|record-data\/(first-questions|own-query))\./,
              priority: 5,
            },
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
            // Loaded when a chart is drawn.
            { name: 'echarts', test: /\/node_modules\/(echarts|zrender)\//, priority: 5 },
            { name: 'tanstack', test: /\/node_modules\/@tanstack\//, priority: 4 },
            // What the page of a share shows, without the grid.
            {
              name: 'cells',
              test: /\/web\/(field-type\/(cell-text|field-types?|[\w-]+\/[\w-]+-type|cell\/(cell-link|cell-parts|choice-color|names-in|pill)|link\/linked|date\/(date-format|read-date)|number\/number-format))\./,
              priority: 4,
            },
            {
              name: 'ui',
              test: /\/node_modules\/(radix-ui|@radix-ui|lucide-react)\/|\/web\/ui\/(?!plot)/,
              priority: 3,
            },
            {
              name: 'app',
              test: /\/web\/(app\/|frame\/|home\/spaces-query|record-data\/(trash-)?queries|import\/(importable|file-drop))/,
              priority: 2,
            },
            {
              name: 'form',
              test: /\/web\/(view-type\/form\/(fill-form|form-field|form-parts|form-cover)|field-type\/([\w-]+\/[\w-]+-(editor|calendar)\.|editor\/|link\/(?!link-(options|value))|attachment\/upload-file))/,
              priority: 2,
            },
            {
              name: 'table',
              test: /\/web\/(table|record|record-data|field-type|view-type|import)\/|@glideapps/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/health': server, '/socket': { target: server, ws: true } } },
});
