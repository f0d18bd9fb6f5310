// What a start tells: the address, and after the first start how to sign in and a request to try. Secrets are shown on a
// terminal alone: what a service prints is kept in its journal.
import type { Config } from '../config.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from '../domain/setup/credentials.ts';

const whereSecretsAre = (dataFolder: string, url: string): string => `
Rowhouse is running at ${url}

The address, the password and the token of its administrator are in ${credentialsFile(dataFolder)}, readable by its owner
alone. Delete the file once you have noted them.
`;

const firstStart = (dataFolder: string, made: Credentials): string => `
Rowhouse is running at ${made.url}

  Sign in with   ${made.email}
  Password       ${made.password}

Add a record to the example table:

  curl -X POST ${made.url}/api/table/${made.tableId}/record \\
    -H 'Authorization: Bearer ${made.token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"records":[{"fields":{"Name":"My first record"}}]}'

All of this is also in ${credentialsFile(dataFolder)}. Stop with Ctrl-C.
`;

/** What is said after the first start. */
export const firstWords = (dataFolder: string, made: Credentials, isTerminal: boolean): string =>
  isTerminal ? firstStart(dataFolder, made) : whereSecretsAre(dataFolder, made.url);

export const welcome = ({ dataFolder }: Config, url: string, made: Omit<Credentials, 'url'> | undefined): void => {
  // The address is known only now when PORT is 0, and may have changed since the first start.
  const known = readCredentials(dataFolder);
  if (known !== undefined && known.url !== url) writeCredentials(dataFolder, { ...known, url });
  console.log(
    made === undefined
      ? `Rowhouse is running at ${url}`
      : firstWords(dataFolder, { ...made, url }, process.stdout.isTTY),
  );
};
