#!/usr/bin/env node
// The command of the npm package: without a word it starts the server. What people keep is in a folder where they call it, and never where npm
// keeps packages.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`rowhouse: Node.js is ${process.versions.node}, Rowhouse needs 20.19 or newer`);
  process.exit(1);
}
process.env.ROWHOUSE_DATA ??= './rowhouse-data';
if (process.argv.length === 2) process.argv.push('serve');
await import(new URL('../server/dist/main.js', import.meta.url).href);
