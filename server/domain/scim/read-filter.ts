// Filters as directories send them: comparisons with `eq`, joined by `and`. Anything else is refused, and never read as "all".
import { ScimFault } from './scim-fault.ts';

export interface Comparison {
  /** In lower case, without a schema before it. */
  attribute: string;
  value: string | boolean | null;
}

const one =
  /^\s*([A-Za-z][\w.:$-]*(?:\[\s*type\s+eq\s+"work"\s*\]\.value)?)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false|null)\s*/i;
const schemaBefore = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** Attributes of `known` alone. */
export const readFilter = (filter: string | undefined, known: readonly string[]): Comparison[] => {
  if (filter === undefined || filter.trim() === '') return [];
  const found: Comparison[] = [];
  for (let rest = filter; ; ) {
    const [whole, name = '', value = ''] = one.exec(rest) ?? [];
    if (whole === undefined) throw new ScimFault(400, `This filter is not served: ${filter}`, 'invalidFilter');
    const attribute = name
      .toLowerCase()
      .replace(schemaBefore, '')
      .replace(/^emails(\[.*\])?\.value$/, 'emails.value');
    if (!known.includes(attribute))
      throw new ScimFault(400, `Filters compare ${known.join(', ')}, not ${name}`, 'invalidFilter');
    try {
      found.push({ attribute, value: JSON.parse(value.startsWith('"') ? value : value.toLowerCase()) });
    } catch {
      throw new ScimFault(400, `This is no value: ${value}`, 'invalidFilter');
    }
    rest = rest.slice(whole.length);
    if (rest === '') return found;
    const and = /^and\s+/i.exec(rest);
    if (and === null) throw new ScimFault(400, `This filter is not served: ${filter}`, 'invalidFilter');
    rest = rest.slice(and[0].length);
  }
};
