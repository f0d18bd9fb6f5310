// Loads what sends traces and figures, which is a bundle of its own, and has this process traced.
import type { Config } from '../config.ts';
import type { Services } from '../context.ts';
import { versionOf } from '../db/version.ts';
import { traceWith } from '../trace.ts';

/** Answers what ends it. */
export const sendTelemetry = async (
  config: Config,
  endpoint: string,
  app: { figures: () => Promise<unknown> },
  { backgroundErrors }: Services,
): Promise<() => Promise<void>> => {
  const { startTelemetry } = await import('../telemetry/otlp.ts');
  const telemetry = startTelemetry({
    endpoint,
    headers: config.telemetryHeaders,
    serviceName: config.telemetryName,
    version: versionOf().version,
    interval: config.telemetryInterval,
    figures: async () => (await app.figures()) as never,
    onFailure: (error) => backgroundErrors.note('telemetry', error),
  });
  traceWith(telemetry.tracer);
  return async () => {
    traceWith(undefined);
    await telemetry.stop();
  };
};
