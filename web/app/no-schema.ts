// Stands in for the schema library in the browser, where nothing is checked against a schema (see vite.config.ts).
export const Type: unknown = new Proxy({}, { get: () => () => ({}) });
