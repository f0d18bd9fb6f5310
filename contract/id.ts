// Ids are Teable's: a prefix that tells the kind, then characters of [0-9A-Za-z] from a cryptographic source.

const idLength = {
  spc: 16,
  bse: 16,
  tbl: 16,
  fld: 16,
  viw: 16,
  rec: 16,
  usr: 16,
  odp: 16,
  acc: 16,
  inv: 16,
  not: 16,
  clt: 16,
  sec: 16,
  opr: 16,
  shr: 16,
  aum: 16,
  aur: 16,
  act: 16,
  att: 21,
  job: 16,
  cho: 8,
  rhi: 24,
  sub: 16,
  prc: 16,
  tra: 16,
  com: 16,
  tpl: 16,
  tpc: 16,
  qry: 16,
  bnf: 16,
  bno: 16,
  whk: 16,
  msg: 24,
  wfl: 16,
  wru: 16,
  wtr: 16,
  wac: 16,
  wde: 16,
  rtp: 16,
  dsh: 16,
  idn: 16,
  pli: 16,
  org: 16,
  odm: 16,
  idp: 16,
  sct: 16,
} as const;

type IdPrefix = keyof typeof idLength;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const poolSize = 16_384;
const pool = new Uint8Array(poolSize);
let used = poolSize;

// Bytes are drawn from a buffer: one call per id costs 10 × more when 20,000 ids are made at once.
const nextByte = (): number => {
  if (used === poolSize) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  return pool[used++] as number;
};

/** `length` random characters, without bias: bytes of 248 and above are thrown away (248 = 4 × 62). */
export const randomText = (length: number): string => {
  let text = '';
  while (text.length < length) {
    const byte = nextByte();
    if (byte < 248) text += alphabet[byte % 62];
  }
  return text;
};

export const newId = (prefix: IdPrefix): string => {
  const id = prefix + randomText(idLength[prefix]);
  return prefix === 'clt' ? id.toLowerCase() : id;
};

export const isId = (prefix: IdPrefix, text: unknown): text is string =>
  typeof text === 'string' &&
  text.length === prefix.length + idLength[prefix] &&
  text.startsWith(prefix) &&
  /^[0-9A-Za-z]+$/.test(text);
