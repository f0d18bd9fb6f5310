// TXT records of a domain, asked of the name servers of the settings.
import { Resolver } from 'node:dns/promises';
import type { Config } from '../../config.ts';

/** Said by a name server, and not that it could not be asked. */
const absent = new Set(['ENODATA', 'ENOTFOUND']);

/** Null: no name server could say. */
export const resolveTxt = async (
  { dnsServers }: Pick<Config, 'dnsServers'>,
  name: string,
): Promise<string[] | null> => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers([...dnsServers]);
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    return absent.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
  }
};
