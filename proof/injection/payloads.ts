// Text that means something to somebody who reads it carelessly. All of it is text that may be kept, and has to come back as it was.

/** Left behind by what is executed, and looked for afterwards. */
export const trace = 'injected_by_proof';

const sql = [
  `'; create table public.${trace}(); --`,
  `"; create table public.${trace}(); --`,
  `\\'; create table public.${trace}(); --`,
  `'); drop schema rowhouse cascade; --`,
  `" cascade; drop schema rowhouse cascade; --`,
  `$$; create table public.${trace}(); $$`,
  `' || pg_sleep(9) || '`,
  `1; select pg_sleep(9)`,
  `') union select password_hash from rowhouse.users --`,
  `' or '1'='1`,
  `x"."y`,
  `'{"a","b"}'`,
  '{a,"b\\"c",NULL}',
  '}"\\',
  'NULL',
  '$1 $2 :a ?',
  '\\',
  "a\\'b",
  "''''",
  '""""',
  '/* */ --',
  ';',
];

const likes = ['%', '_', '%_\\%', '*', '[a-z]', '(.*)+$', '^', '\\d'];

const html = [
  '<script>window.injected=1</script>',
  '"><img src=x onerror="window.injected=1">',
  "'><svg onload=window.injected=1>",
  '</title></textarea></style><script>window.injected=1</script>',
  'javascript:window.injected=1',
  "{{constructor.constructor('window.injected=1')()}}",
  '${window.injected=1}',
  '&lt;b&gt;&amp;',
  '<!--',
  ']]>',
];

const csv = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  `=cmd|' /C calc'!A0`,
  '=HYPERLINK("http://example.com","x")',
  'a,"b";c',
];

const headers = [
  'a\r\nx-injected: 1',
  'a\nset-cookie: injected=1',
  'a\r\n\r\n<b>x</b>',
  '%0d%0ax-injected:%201',
  'a\u0085b',
  'a\u2028b',
  'a\u010Ab',
];

const paths = [
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '/',
  'a/b',
  '.',
  '..',
  'C:\\x',
  'file:///etc/passwd',
  '//example.com',
  'a?b#c',
  '%',
  '%00',
];

const keys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'length',
  'then',
  'toJSON',
  '~0~1',
  '/a/b',
  'a.b[0]',
  '$ref',
  '#/a',
  '0',
  '-1',
  'id',
  'fields',
  '__id',
  '__version',
];

const unicode = [
  '\u202Egnp.exe',
  'e\u0301',
  'é',
  'ﬁ',
  'İi̇Iı',
  'ß',
  'ẞ',
  'x\uFEFFy',
  'a\u200Bb',
  '👩‍👩‍👧‍👦',
  'Ω',
  'Ω',
  '\u{10FFFF}',
  '\uFFFD',
  'Ａ',
  '\u0001\u001F',
  '\u007F',
  'ĀĂ',
  '한',
  '한',
  'क्‍ष',
];

export const payloads: readonly string[] = [
  ...new Set([...sql, ...likes, ...html, ...csv, ...headers, ...paths, ...keys, ...unicode]),
];
