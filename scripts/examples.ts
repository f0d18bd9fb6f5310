// Writes server/http/examples.json: the requests that /api/docs shows, which are those of the walk of access.
import { writeFileSync } from 'node:fs';
import { routes } from '../server/app.ts';
import { examplesText } from '../test/support/request-examples.ts';

writeFileSync('server/http/examples.json', examplesText(routes.map(({ endpoint }) => endpoint)));
