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
  closeBundle() {
    const dist = join(folder, 'dist');
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

export default defineConfig({
  root: folder,
  plugins: [react(), tailwindcss(), eagerEditor(), precompress()],
  optimizeDeps: { exclude: ['@glideapps/glide-data-grid'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
  },
  server: { proxy: { '/api': server, '/health': server, '/socket': { target: server, ws: true } } },
});
