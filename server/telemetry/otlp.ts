// Sends spans and figures to an OpenTelemetry collector, over HTTP. A bundle of its own, which is loaded when an endpoint is set and never otherwise.
import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import {
  context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { codeOfError, type SpanOptions, type Tracer } from '../trace.ts';
import { type Figure, figuresProducer } from './figures.ts';

interface TelemetryOptions {
  endpoint: string;
  /** `name=value,name=value`, as the specification of OpenTelemetry writes them. */
  headers: string | null;
  serviceName: string;
  version: string;
  /** Milliseconds between two exports of figures. */
  interval: number;
  figures: () => Promise<Figure[]>;
  /** What could not be sent is told, and dropped. */
  onFailure: (error: Error) => void;
}

interface Telemetry {
  tracer: Tracer;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const headersOf = (text: string | null): Record<string, string> =>
  Object.fromEntries(
    (text ?? '')
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => [
        pair.slice(0, pair.indexOf('=')).trim(),
        decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim()),
      ]),
  );

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const parentContext = (parent: string | undefined) => {
  const [, traceId, spanId, flags] = traceparent.exec(parent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = (Number.parseInt(flags as string, 16) & TraceFlags.SAMPLED) as TraceFlags;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};

export const startTelemetry = (options: TelemetryOptions): Telemetry => {
  const { endpoint, serviceName, version, interval, figures, onFailure } = options;
  const base = endpoint.replace(/\/+$/, '');
  const headers = headersOf(options.headers);
  const silent = (): void => undefined;
  const fail = (message: string): void => onFailure(new Error(message.slice(0, 300)));
  diag.setLogger({ error: fail, warn: silent, info: silent, debug: silent, verbose: silent }, DiagLogLevel.ERROR);
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  const spans = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces`, headers }))],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics`, headers }),
        exportIntervalMillis: interval,
        exportTimeoutMillis: Math.min(interval, 30_000),
        metricProducers: [figuresProducer(resource, figures)],
      }),
    ],
  });
  const otel = spans.getTracer('rowhouse', version);
  const open = new AsyncLocalStorage<OtelSpan>();

  const span = async <T>(
    name: string,
    { kind, attributes = {}, parent, since = 0 }: SpanOptions,
    work: Parameters<Tracer['span']>[2],
  ): Promise<T> => {
    const above = open.getStore();
    const one = otel.startSpan(
      name,
      {
        attributes,
        ...(kind === undefined ? {} : { kind: kinds[kind] }),
        ...(since === 0 ? {} : { startTime: Date.now() - since }),
      },
      above === undefined ? (parentContext(parent) ?? ROOT_CONTEXT) : trace.setSpan(ROOT_CONTEXT, above),
    );
    try {
      return (await open.run(one, () => work({ set: (more) => void one.setAttributes(more) }))) as T;
    } catch (error) {
      one.setStatus({ code: SpanStatusCode.ERROR });
      one.setAttribute('error.type', codeOfError(error));
      throw error;
    } finally {
      one.end();
    }
  };

  return {
    tracer: { span },
    async stop() {
      await Promise.allSettled([spans.shutdown(), meters.shutdown()]);
      diag.disable();
      context.disable();
    },
  };
};
