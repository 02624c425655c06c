import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsSources } from './options.ts';

export type Metrics = {
  record(request: { operation: string; status: number; seconds: number }): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<{ type: string; body: string }>;
};

/** From a read from memory to a search with a reranking model. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics({ queue_depth, embedding, process }: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'mneme_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'mneme_http_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer.',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers,
  });
  if (queue_depth) addQueueGauge(queue_depth, registers);
  if (embedding) addEmbeddingGauges(embedding, registers);
  if (process) {
    collectDefaultMetrics({ register: registry });
    addDelayGauge(registers);
  }

  return {
    record: ({ operation, status, seconds }) => {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}

function addQueueGauge(depth: () => Promise<number>, registers: Registry[]): void {
  const gauge: Gauge = new Gauge({
    name: 'mneme_queue_depth',
    help: 'Units of work waiting in the queue.',
    registers,
    collect: async () => gauge.set(await depth()),
  });
}

/** How often the event loop is looked at, in milliseconds. */
const delayResolutionMs = 10;

/** No request is answered meanwhile, so this is what one request may cost the others. */
function addDelayGauge(registers: Registry[]): void {
  const delays: IntervalHistogram = monitorEventLoopDelay({ resolution: delayResolutionMs });
  delays.enable();
  const gauge: Gauge = new Gauge({
    name: 'mneme_event_loop_delay_seconds',
    help: 'The longest time that the event loop was held since the metrics were last read.',
    registers,
    collect: () => {
      // The measured time includes the wait between two measurements.
      gauge.set(Math.max(0, delays.max / 1e6 - delayResolutionMs) / 1000);
      delays.reset();
    },
  });
}

const embeddingGauges = {
  pending: ['mneme_embedding_pending', 'Memories that are not embedded yet.'],
  total: ['mneme_embedding_memories', 'Memories in the store, embedded or not.'],
  bytes: ['mneme_vector_memory_bytes', 'Bytes of memory in this process that hold vectors.'],
} as const;

function addEmbeddingGauges(
  figures: NonNullable<MetricsSources['embedding']>,
  registers: Registry[],
): void {
  for (const key of ['pending', 'total', 'bytes'] as const) {
    const [name, help] = embeddingGauges[key];
    const collect = async () => gauge.set((await figures())?.[key] ?? 0);
    const gauge: Gauge = new Gauge({ name, help, registers, collect });
  }
}
