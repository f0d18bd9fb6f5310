import { expect, test } from 'vitest';
import { plainName } from './plain-name.ts';

test.each([
  ['Works', 'Works'],
  ["Zoë O'Neill-Ångström 2", "Zoë O'Neill-Ångström 2"],
  ['王小明', '王小明'],
  ['You won! https://evil.example/a?b=c', 'You won https evil example a b c'],
  ['evil.example', 'evil example'],
  ['call +1 (202) 555-0123 now', 'call now'],
  ['me@evil.example', 'me evil example'],
  ['a\r\nBcc: all@example.com', 'a Bcc all example com'],
  ['\u202Egro.live', 'gro live'],
  ['ｅｖｉｌ．ｅｘａｍｐｌｅ', 'evil example'],
  ['x'.repeat(100), `${'x'.repeat(40)}…`],
  ['://', ''],
])('%s becomes %s', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
