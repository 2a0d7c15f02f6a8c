import type { CloudEvent } from '../../executions/engine/port.ts';
import { exactJson } from '../../executions/tasks/functions/exact-json.ts';
import { messageId } from '../message-json.ts';
import { type Output, OutputFailure } from '../port.ts';

/** Takes events for workflows that listen; one with the same source and id is taken once. */
export type PublishEvents = (events: readonly CloudEvent[]) => Promise<void>;

const AT_ONCE = 100;

/**
 * Sends CloudEvents of the type `trapline.output.detection.<cause>` to workflows; their source names the output. Workflows receive all detections
 * anyway (`trapline.detection.…`); of these they hear what the filter of the output lets through, and of closings.
 */
export function openWorkflows({ publish }: { readonly publish: PublishEvents }, outputId: string): Output {
  return {
    atOnce: AT_ONCE,
    async deliver(batch) {
      const events = batch.map((message): CloudEvent => {
        const { cause, detection, at } = message;
        const { id, rule, severity, hostname, procname, register } = detection;
        return {
          specversion: '1.0',
          id: messageId(message),
          source: `trapline/outputs/${outputId}`,
          type: `trapline.output.detection.${cause}`,
          subject: id,
          time: at.toISOString(),
          datacontenttype: 'application/json',
          rule: rule.id,
          severity,
          ...(hostname === null ? {} : { hostname }),
          ...(procname === null ? {} : { procname }),
          ...(register === null ? {} : { register }),
          data: exactJson(detection),
        };
      });
      await publish(events).catch((cause: unknown) => {
        throw new OutputFailure('temporary', 'the events could not be stored', { cause });
      });
      return { answer: `${events.length === 1 ? 'the event is' : `${events.length} events are`} stored` };
    },
    close: async () => {},
  };
}
