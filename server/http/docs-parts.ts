// Pieces of HTML that the API reference is made of.

export interface Shape {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  required?: string[];
  description?: string;
}

export const escape = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] as string,
  );

export const prose = (text: string): string =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '</p><p>');

const typeText = (shape: Shape, depth = 0): string => {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (shape.anyOf !== undefined) return shape.anyOf.map((option) => typeText(option, depth)).join(' | ');
  if (shape.type === 'array') return `${typeText(shape.items ?? {}, depth)}[]`;
  if (shape.type === 'object') {
    const keys = Object.keys(shape.properties ?? {});
    if (keys.length === 0 || depth > 0) return keys.length === 0 ? 'object' : `{ ${keys.join(', ')} }`;
    return 'object';
  }
  return [shape.type ?? 'any'].flat().join(' | ');
};

/** A table may be wider than a phone: it is scrolled by itself. */
export const wide = (table: string): string => `<div class="wide" tabindex="0">${table}</div>`;

const rows = (shape: Shape): string =>
  Object.entries(shape.properties ?? {})
    .map(
      ([name, property]) =>
        `<tr><td><code>${escape(name)}</code>${shape.required?.includes(name) ? ' <b class="required">required</b>' : ''}</td><td><code>${escape(typeText(property, 1))}</code></td><td>${prose(property.description ?? '')}</td></tr>`,
    )
    .join('');

export const part = (title: string, schema: unknown): string => {
  if (schema === undefined) return '';
  const shape = schema as Shape;
  const inner = shape.type === 'array' ? (shape.items as Shape) : shape;
  const table = rows(inner);
  const kind = table === '' || shape.type === 'array' ? ` <code>${escape(typeText(shape))}</code>` : '';
  return `<h4>${title}${kind}</h4>${table === '' ? '' : wide(`<table class="fields">${table}</table>`)}`;
};
