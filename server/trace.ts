// Spans of what this process does: requests, steps of the pipeline, statements, jobs. Without a tracer, which is there when an endpoint for them is set
// (`telemetry/`), nothing is measured: each place looks at one variable.

/** Names and numbers that the code knows. Never a value of a cell, a parameter of a statement, an address that somebody typed, or the text of an error. */
type Attributes = Record<string, string | number>;

interface Span {
  set(attributes: Attributes): void;
}

export interface SpanOptions {
  kind?: 'server' | 'client' | 'consumer';
  attributes?: Attributes;
  /** Header `traceparent` of a caller. */
  parent?: string | undefined;
  /** Milliseconds since it began. */
  since?: number;
}

export interface Tracer {
  /** Below the span that is open where it is called. What `work` throws is noted by its code. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
}

let tracer: Tracer | undefined;

export const presentTracer = (): Tracer | undefined => tracer;

export const traceWith = (given: Tracer | undefined): void => {
  tracer = given;
};

/** Tells an error without its text, which may repeat what somebody sent. */
export const codeOfError = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' && /^\w{1,60}$/.test(code)
    ? code
    : typeof name === 'string' && /^\w{1,60}$/.test(name)
      ? name
      : 'unknown';
};
