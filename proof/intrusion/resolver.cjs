// Loaded into a server under attack (`node --require`): names of the attack are looked up at its own resolver, over DNS, as they would be at that of an operator.
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');
const { callbackify } = require('node:util');

if (process.env.PROOF_RESOLVER !== undefined) {
  const { lookup } = dns;
  const resolver = new dns.Resolver();
  resolver.setServers([process.env.PROOF_RESOLVER]);
  const found = (resolve, hostname, family) =>
    new Promise((done) =>
      resolve.call(resolver, hostname, (error, addresses) =>
        done(error === null ? addresses.map((address) => ({ address, family })) : []),
      ),
    );
  const allOf = callbackify(async (hostname) => {
    const all = (
      await Promise.all([found(resolver.resolve4, hostname, 4), found(resolver.resolve6, hostname, 6)])
    ).flat();
    if (all.length > 0) return all;
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  });
  dns.lookup = (hostname, options, done) => {
    if (!hostname.endsWith('.rebind.test')) return lookup(hostname, options, done);
    allOf(hostname, (error, all) => {
      if (error !== null) done(error);
      else if (options.all === true) done(null, all);
      else done(null, all[0].address, all[0].family);
    });
  };
  syncBuiltinESMExports();
}
