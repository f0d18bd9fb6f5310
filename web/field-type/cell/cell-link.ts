// Texts that a field shows as links: addresses of pages, of e-mails, of phones.
import type { Field } from '@rowhouse/contract/field.ts';

const addressOf: Record<string, (text: string) => string | undefined> = {
  url(text) {
    const written = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]*:\d/.test(text) ? text : `https://${text}`;
    if (/\s/.test(written) || !URL.canParse(written)) return undefined;
    const { protocol, href } = new URL(written);
    // Anything else could do more than open a page.
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  },
  email: (text) =>
    /^[^\s@]+@[^\s@]+$/.test(text) ? `mailto:${encodeURIComponent(text).replace('%40', '@')}` : undefined,
  phone(text) {
    const digits = text.replace(/[\s().\-/]/g, '');
    return /^\+?[0-9*#]+$/.test(digits) ? `tel:${digits}` : undefined;
  },
};

/** Where a text leads; undefined when its field shows it as plain text, or when it leads nowhere. */
export const linkOf = ({ options }: Pick<Field, 'options'>, value: unknown): string | undefined => {
  const { type } = (options['showAs'] ?? {}) as { type?: unknown };
  if (typeof value !== 'string' || typeof type !== 'string' || !Object.hasOwn(addressOf, type)) return undefined;
  return addressOf[type]?.(value.trim());
};

export const openLink = (href: string): void => void window.open(href, '_blank', 'noopener,noreferrer');
