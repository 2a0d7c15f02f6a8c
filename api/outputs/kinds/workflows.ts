import { z } from 'zod';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import { detectionAttributes } from '#api/workflows/triggers/detection-attributes.ts';
import { messageId } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Delivery, type Output, OutputFailure } from '../port.ts';
import type { PublishEvents } from '../reach.ts';

const MAX_BATCH = 100;

export const kind = defineOutputKind({
  label: 'Workflows',
  description: 'Starts workflows that listen for events of this output.',
  order: 6,
  sendsCases: true,
  settings: z.strictObject({}),
  secrets: z.strictObject({}),
  receiver: [],
  unavailable: ({ publish }) => (publish === undefined ? 'this process runs no workflows' : undefined),
  open: ({ reach, outputId }) => openWorkflows({ publish: reach.publish as PublishEvents }, outputId),
});

/**
 * Sends CloudEvents of the type `trapline.output.detection.<cause>` to workflows. The source identifies the output.
 * Workflows also receive every detection as `trapline.detection.…`; these events include only detections that match the
 * filter of the output, and closings. Cases are sent as `trapline.output.case.<cause>`.
 */
export function openWorkflows({ publish }: { readonly publish: PublishEvents }, outputId: string): Output {
  async function store(events: readonly CloudEvent[]): Promise<Delivery> {
    await publish(events).catch((cause: unknown) => {
      throw new OutputFailure('temporary', 'the events could not be stored', { cause });
    });
    return { answer: `${events.length === 1 ? '1 event' : `${events.length} events`} stored` };
  }

  return {
    maxBatch: MAX_BATCH,
    async deliver(batch) {
      const events = batch.map((message): CloudEvent => {
        const { cause, detection, at } = message;
        return {
          specversion: '1.0',
          // Workflows keep the first event with an id, and a detection can be closed again in the same revision.
          id: cause === 'closed' ? `${messageId(message)}:${at.getTime()}` : messageId(message),
          source: `trapline/outputs/${outputId}`,
          type: `trapline.output.detection.${cause}`,
          time: at.toISOString(),
          ...detectionAttributes(detection),
        };
      });
      return store(events);
    },
    deliverCase: ({ id, cause, at, case: of, link }) =>
      store([
        {
          specversion: '1.0',
          id,
          source: `trapline/outputs/${outputId}`,
          type: `trapline.output.case.${cause}`,
          subject: of.id,
          time: at.toISOString(),
          datacontenttype: 'application/json',
          severity: of.severity,
          data: { ...of, link },
        },
      ]),
    close: async () => {},
  };
}
