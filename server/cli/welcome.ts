// What a start tells: the address, and after the first start how to sign in and a request to try.
import type { Config } from '../config.ts';
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from '../domain/setup/credentials.ts';

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

export const welcome = ({ dataFolder }: Config, url: string, made: Omit<Credentials, 'url'> | undefined): void => {
  // The address is known only now when PORT is 0, and may have changed since the first start.
  const known = readCredentials(dataFolder);
  if (known !== undefined && known.url !== url) writeCredentials(dataFolder, { ...known, url });
  console.log(made === undefined ? `Rowhouse is running at ${url}` : firstStart(dataFolder, { ...made, url }));
};
