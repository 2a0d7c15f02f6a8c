import { Readable } from 'node:stream';
import { FORMATS } from '#analytics/formats/formats.ts';
import { recordTexts } from '#api/http/responses/send-records.ts';
import type { Detection } from '#schemas/detection.ts';

/** One reader of the stream of detections, as server-sent events (WHATWG HTML, section 9.2). */
export interface StreamReader {
  /** The response body. */
  readonly body: Readable;
  /** Sends each detection as one event. `id` is the position to resume from after the last of them. */
  send(detections: readonly Detection[], id: number, event?: 'detection' | 'decision'): void;
  /** Sends the position to resume from, if any, without a detection. Also keeps the connection alive. */
  beat(id: number | undefined): void;
  /** Sends the reason and ends the stream. */
  end(reason: string): void;
  /** Sends an event with another name. */
  sendEvent(event: string, data: object): void;
}

/** Reconnection time for browsers, ms. */
const RETRY_MS = 2_000;

/**
 * Creates a reader. `wants` selects the detections that it receives. A reader with more than `maxWaitingBytes` of
 * unsent data is disconnected; it resumes with the id of the last event that it received.
 */
export function createStreamReader(
  wants: (detection: Detection) => boolean,
  { maxWaitingBytes }: { readonly maxWaitingBytes: number },
): StreamReader {
  const body = new Readable({ read() {} });
  let ended = false;
  body.push(`retry: ${RETRY_MS}\n\n`);

  function send(text: string): void {
    if (body.destroyed || ended) return;
    body.push(text);
    if (body.readableLength > maxWaitingBytes) body.destroy();
  }

  return {
    body,
    send(detections, id, event = 'detection') {
      const wanted = detections.filter(wants);
      const texts = recordTexts(FORMATS.json, 'detections', wanted);
      texts.forEach((text, i) => {
        const place = i === texts.length - 1 ? `id: ${id}\n` : '';
        send(`${place}event: ${event}\ndata: ${text}\n\n`);
      });
    },
    beat: (id) => send(id === undefined ? ': alive\n\n' : `: alive\nid: ${id}\n\n`),
    sendEvent: (event, data) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end(reason) {
      send(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
      if (!body.destroyed && !ended) body.push(null);
      ended = true;
    },
  };
}
