// Writes docs/compatibility.md: which operations of Teable's client are served, and why the others are not.
import { writeFileSync } from 'node:fs';
import { routes } from '../server/app.ts';
import { compatibilityPage } from '../test/support/compatibility-page.ts';

writeFileSync('docs/compatibility.md', compatibilityPage(routes.map(({ endpoint }) => endpoint)));
