// Answers that are meant to be others than in an older version, with the reason. Everything else that changes is a fault.
const deliberate: readonly { difference: RegExp; reason: string }[] = [
  {
    difference: /GET \/access-token(\/\w+)?\.body(\.\d+)?\.scopes: \d+ items are now \d+$/,
    reason: 'a token that may do all its user may is stored as such, and lists the scopes of today',
  },
  {
    difference: /^limited GET \/notifications(\/|\?)/,
    reason: 'a token for some spaces or bases does not reach the notifications of its user',
  },
  { difference: /email: "[^"]+" is now ""$/, reason: 'e-mail addresses take the scope user|email_read' },
  {
    difference: /\/field\/\w+\/plan\.body\.(estimateTime|updateCellCount): 0 is now \d+$/,
    reason: 'the plan of a field counts its cells and those of the formulas that need it',
  },
];

export const isDeliberate = (difference: string): boolean => deliberate.some((one) => one.difference.test(difference));
