// Connects only to allowed addresses: the name is resolved once, by the connection itself, so that what is connected to is what was looked at.
import { lookup as lookUpName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

export type AddressRule = (address: string) => boolean;

/** The address that stands in a URL itself, which is never looked up. */
export const literalAddress = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
};

export const guardedLookup =
  (isAllowed: AddressRule, refusal: (hostname: string) => Error): LookupFunction =>
  (hostname, options, done) => {
    lookUpName(hostname, { ...options, all: true }, (error, found) => {
      const allowed = error === null ? found.filter(({ address }) => isAllowed(address)) : [];
      const first = allowed[0];
      // All of them: one that is private is a hint that the name is not what it seems.
      if (error !== null || first === undefined || allowed.length !== found.length)
        done(error ?? (refusal(hostname) as NodeJS.ErrnoException), '', 4);
      else if (options.all === true)
        (done as unknown as (error: null, addresses: typeof allowed) => void)(null, allowed);
      else done(null, first.address, first.family);
    });
  };
