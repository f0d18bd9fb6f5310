// rowhouse sample: a base to look at and to try things on, made over the API of a server that is running.
import { createClient } from '@rowhouse/contract/client.ts';
import { readConfig } from '../config.ts';
import { readCredentials } from '../domain/setup/credentials.ts';
import { type Command, UsageError } from './command.ts';
import { makeDemo } from './demo-base.ts';

const most = 1_000_000;

const countOf = (text: string | undefined): number => {
  if (text === undefined) return 300;
  if (!/^\d{1,7}$/.test(text) || Number(text) < 50 || Number(text) > most)
    throw new UsageError(`--records must be a whole number from 50 to ${most}`);
  return Number(text);
};

export const sample: Command = {
  name: 'sample',
  summary: 'Make a sample base with linked tables, a board and a form on a server that is running',
  options: {
    records: { value: 'number', meaning: 'How many records it gets in all; 300 when left out' },
    url: { value: 'url', meaning: 'Address of the server; that of credentials.json in the data folder when left out' },
    token: { value: 'token', meaning: 'An access token that may create bases; that of credentials.json when left out' },
    space: { value: 'space', meaning: 'Id of the space that the base goes into: spc…' },
  },
  async run({ option }) {
    const records = countOf(option('records'));
    const known = readCredentials(readConfig(process.env).dataFolder);
    const [url, token, spaceId] = [
      option('url') ?? known?.url,
      option('token') ?? known?.token,
      option('space') ?? known?.spaceId,
    ];
    if (url === undefined || token === undefined || spaceId === undefined)
      throw new UsageError(
        'there is no credentials.json in the data folder: --url, --token and --space have to be given',
      );
    const { baseId } = await makeDemo(
      createClient({ baseUrl: `${url.replace(/\/$/, '')}/api`, token }),
      spaceId,
      records,
      console.log,
    );
    console.log(`made the base ${baseId}: ${url}/base/${baseId}`);
  },
};
