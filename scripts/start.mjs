// `npm start`: installs what is missing, builds what is stale, and becomes the server: it runs in this very
// process, so that signals reach it directly.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildApart } from './build.mjs';
import { installWhatIsMissing, root } from './install.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`rowhouse: Node.js is ${process.versions.node}, Rowhouse needs 20.19 or newer`);
  process.exit(1);
}

installWhatIsMissing();
try {
  buildApart();
} catch (error) {
  console.error(`rowhouse: the build failed: ${error.message}`);
  process.exit(1);
}
process.argv.splice(2, 0, 'serve');
await import(pathToFileURL(join(root, 'server/dist/main.js')).href);
