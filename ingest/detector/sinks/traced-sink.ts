import { failureType, type Tracing } from '#schemas/tracing/tracing.ts';
import type { EventSink, OutgoingEvent } from './event-sink.ts';

/**
 * Wraps a sink with a trace for each event: span `kernel event` when the event is complete, and `send …` until the
 * receiver has it. The sink propagates the context of the latter. `destination` is the topic or the host of the
 * receiver.
 */
export function createTracedSink(sink: EventSink, tracing: Tracing, destination: string): EventSink {
  function begin(event: OutgoingEvent) {
    const root = tracing.start('kernel event');
    if (!root.isRecorded) return undefined;
    root.set({
      'host.name': event.hostname ?? undefined,
      'trapline.event.ingest_id': event.ingestId ?? undefined,
      'trapline.event.bytes': event.json.length,
    });
    const sending = tracing.start(`send ${destination}`, {
      kind: 'producer',
      parent: root.context,
      attributes: { 'messaging.operation.type': 'send', 'messaging.destination.name': destination },
    });
    root.end();
    return sending;
  }

  return {
    async write(events) {
      const spans = events.map(begin);
      const traced = events.map((event, at) => {
        const trace = spans[at]?.context;
        return trace === undefined ? event : { ...event, trace };
      });
      try {
        await sink.write(traced);
      } catch (error) {
        for (const span of spans) span?.fail(failureType(error));
        throw error;
      } finally {
        for (const span of spans) span?.end();
      }
    },
    ...(sink.backlog === undefined ? {} : { backlog: () => (sink.backlog as NonNullable<EventSink['backlog']>)() }),
    close: () => sink.close(),
  };
}
