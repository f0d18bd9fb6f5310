// The figures of `/metrics`, in the form of OpenTelemetry: there is one list of them, and both ways show the same.
import { type Attributes, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  InstrumentType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

/** As prom-client gives it. */
export interface Figure {
  name: string;
  help: string;
  type: string;
  values: { value: number; labels: Partial<Record<string, string | number>>; metricName?: string }[];
}

type Time = [seconds: number, nanoseconds: number];

const timeOf = (milliseconds: number): Time => [
  Math.floor(milliseconds / 1_000),
  Math.round((milliseconds % 1_000) * 1_000_000),
];

interface Buckets {
  attributes: Attributes;
  bounds: { le: number; count: number }[];
  sum: number;
  count: number;
}

/** One entry for each combination of labels. */
const bucketsOf = ({ name, values }: Figure): Buckets[] => {
  const found = new Map<string, Buckets>();
  for (const { value, metricName, labels } of values) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(attributes);
    const own = found.get(key) ?? { attributes: attributes as Attributes, bounds: [], sum: 0, count: 0 };
    found.set(key, own);
    if (metricName === `${name}_sum`) own.sum = value;
    else if (metricName === `${name}_count`) own.count = value;
    else if (le !== '+Inf') own.bounds.push({ le: Number(le), count: value });
  }
  return [...found.values()];
};

const histogramOf = (figure: Figure, startTime: Time, endTime: Time): MetricData => ({
  descriptor: {
    name: figure.name,
    description: figure.help,
    unit: '',
    valueType: ValueType.DOUBLE,
    type: InstrumentType.HISTOGRAM,
    advice: {},
  } as MetricData['descriptor'],
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
  dataPointType: DataPointType.HISTOGRAM,
  dataPoints: bucketsOf(figure).map(({ attributes, bounds, sum, count }) => ({
    startTime,
    endTime,
    attributes,
    value: {
      sum,
      count,
      buckets: {
        boundaries: bounds.map(({ le }) => le),
        // Those of Prometheus contain each other.
        counts: [
          ...bounds.map((bound, at) => bound.count - (bounds[at - 1]?.count ?? 0)),
          count - (bounds.at(-1)?.count ?? 0),
        ],
      },
    },
  })),
});

const numberOf = ({ name, help, values }: Figure, startTime: Time, endTime: Time): MetricData => {
  const isSum = name.endsWith('_total');
  const dataPoints = values.map(({ value, labels }) => ({
    startTime,
    endTime,
    attributes: labels as Attributes,
    value,
  }));
  const descriptor = {
    name,
    description: help,
    unit: '',
    valueType: ValueType.DOUBLE,
    type: isSum ? InstrumentType.COUNTER : InstrumentType.GAUGE,
    advice: {},
  } as MetricData['descriptor'];
  return isSum
    ? {
        descriptor,
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints,
      }
    : {
        descriptor,
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
        dataPointType: DataPointType.GAUGE,
        dataPoints,
      };
};

export const figuresProducer = (resource: Resource, figures: () => Promise<Figure[]>): MetricProducer => {
  const startTime = timeOf(Date.now());
  return {
    async collect(): Promise<CollectionResult> {
      const endTime = timeOf(Date.now());
      const metrics = (await figures()).map((figure) =>
        figure.type === 'histogram' ? histogramOf(figure, startTime, endTime) : numberOf(figure, startTime, endTime),
      );
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'rowhouse' }, metrics }] }, errors: [] };
    },
  };
};
