// A small collector: takes OTLP as JSON over HTTP, and keeps what comes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

interface ReceivedMetric {
  name: string;
  sum?: { dataPoints: unknown[]; isMonotonic: boolean };
  gauge?: { dataPoints: unknown[] };
  histogram?: { dataPoints: { count: number | string; bucketCounts: (number | string)[]; explicitBounds: number[] }[] };
}

export const startOtlpReceiver = async () => {
  const bodies: string[] = [];
  const headers: (string | undefined)[] = [];
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString();
      bodies.push(text);
      headers.push(request.headers['x-collector-key'] as string | undefined);
      const body = JSON.parse(text) as {
        resourceSpans?: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
        resourceMetrics?: { scopeMetrics: { metrics: ReceivedMetric[] }[] }[];
      };
      for (const { scopeSpans } of body.resourceSpans ?? []) for (const scope of scopeSpans) spans.push(...scope.spans);
      for (const { scopeMetrics } of body.resourceMetrics ?? [])
        for (const scope of scopeMetrics) for (const metric of scope.metrics) metrics.set(metric.name, metric);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    spans,
    metrics,
    close: () => new Promise((closed) => (server.closeAllConnections(), server.close(closed))),
  };
};
