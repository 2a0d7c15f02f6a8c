import type { Seal } from '#api/executions/secrets/seal.ts';
import { type TraceContext, traceHeaders } from '#schemas/tracing/trace-context.ts';
import { failureType, type Tracing } from '#schemas/tracing/tracing.ts';
import { openOutput } from './open-output.ts';
import type { Output, OutputMessage } from './port.ts';
import type { KafkaAccess, OutputReach } from './reach.ts';
import type { OutputRow } from './tables/outputs.ts';

/**
 * Opens the receiver of a definition, with a span for each delivery whose messages belong to a trace. Requests, Kafka
 * messages and events of workflows carry its context. A receiver gets one delivery at a time, so the context of the
 * delivery in progress applies.
 */
export function openTracedOutput(
  { reach, seal, tracing }: { readonly reach: OutputReach; readonly seal: Seal; readonly tracing: Tracing },
  row: OutputRow,
): Output {
  if (!tracing.isOn) return openOutput({ reach, seal }, row);
  let current: TraceContext | undefined;
  const output = openOutput({ reach: traceReach(reach, () => current), seal }, row);
  return {
    ...output,
    async deliver(batch, signal) {
      const span = startDelivery(tracing, row, batch);
      if (span === undefined) return output.deliver(batch, signal);
      current = span.context;
      try {
        return await output.deliver(batch, signal);
      } catch (error) {
        span.fail(failureType(error));
        throw error;
      } finally {
        current = undefined;
        span.end();
      }
    },
  };
}

function startDelivery(tracing: Tracing, { id, type }: OutputRow, batch: readonly OutputMessage[]) {
  const [parent, ...links] = batch.flatMap(({ trace }) => trace ?? []);
  if (parent === undefined) return undefined;
  return tracing.start(`deliver ${type}`, {
    kind: 'producer',
    parent,
    links,
    attributes: {
      'trapline.output.id': id,
      'trapline.output.type': type,
      'trapline.output.messages': batch.length,
      'trapline.detection.id': batch[0]?.detection.id,
    },
  });
}

function traceReach(reach: OutputReach, current: () => TraceContext | undefined): OutputReach {
  const { fetch, kafka, publish } = reach;
  return {
    ...reach,
    fetch: (request) => fetch({ ...request, trace: current() }),
    ...(kafka === undefined ? {} : { kafka: traceKafka(kafka, current) }),
    ...(publish === undefined ? {} : { publish: (events) => publish(events, current()) }),
  };
}

function traceKafka(kafka: KafkaAccess, current: () => TraceContext | undefined): KafkaAccess {
  return {
    ...kafka,
    openProducer() {
      const producer = kafka.openProducer();
      return {
        send(topic, messages) {
          const trace = traceHeaders(current());
          return producer.send(
            topic,
            messages.map((message) => ({ ...message, headers: { ...message.headers, ...trace } })),
          );
        },
        close: () => producer.close(),
      };
    },
  };
}
