// The program as a later version of it would be: the same bundle, with migrations that come after its own.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const server = join(import.meta.dirname, '../../server');
const dist = join(server, 'dist');

/** Migrations by file name. Answers its main file, and what takes it away. Beside the bundle, from where packages are found. */
export const makeNewerProgram = (migrations: Record<string, string>): { main: string; remove: () => void } => {
  const folder = mkdtempSync(join(dist, 'copy-'));
  for (const name of readdirSync(dist).filter((each) =>
    /^(main\.js|load\.js|build\.json|telemetry\.cjs|server-.*\.cjs)/.test(each),
  ))
    cpSync(join(dist, name), join(folder, 'dist', name));
  for (const path of ['package.json', 'db/migrations', 'catalog/plans.json', 'http/examples.json'])
    cpSync(join(server, path), join(folder, path), { recursive: true });
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(folder, 'db/migrations', name), text);
  return { main: join(folder, 'dist/main.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
};
