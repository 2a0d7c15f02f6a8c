import type { DetectorLog } from '#ingest/detector/log.ts';
import type { EventSink } from '#ingest/detector/sinks/event-sink.ts';
import type { TracingConfig } from '../config/tracing-settings.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { SinkTarget } from './sink-target.ts';

/** Wraps a sink with a trace for each event. Loaded only if tracing is on. Closing it sends the collected spans. */
export async function createTracedDetectorSink(
  sink: EventSink,
  config: TracingConfig,
  { target, log }: { readonly target: Exclude<SinkTarget, { kind: 'stdout' }>; readonly log: DetectorLog },
): Promise<EventSink> {
  const { createTracedSink } = await import('#ingest/detector/sinks/traced-sink.ts');
  const { tracing, close } = await openTracing({
    config,
    role: 'detect',
    log: { warn: (fields, message) => log('warn', { ...fields }, message) },
  });
  const traced = createTracedSink(sink, tracing, target.kind === 'kafka' ? target.topic : target.url.hostname);
  return {
    ...traced,
    async close() {
      await traced.close();
      await close();
    },
  };
}
