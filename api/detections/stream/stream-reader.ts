import { Readable } from 'node:stream';
import { FORMATS } from '#analytics/formats/formats.ts';
import { recordTexts } from '#api/http/send-records.ts';
import type { Detection } from '#schemas/detection.ts';

/** One reader of the stream of detections, as server-sent events (WHATWG HTML, section 9.2). */
export interface StreamReader {
  /** What is sent as the answer's body. */
  readonly body: Readable;
  /** Detections that landed, or about which was decided, each as one event; `id` is where to go on from after the last of them. */
  send(detections: readonly Detection[], id: number, event?: 'detection' | 'decision'): void;
  /** Sends the position to resume from, if there is one, without a detection; that also keeps the connection alive. */
  beat(id: number | undefined): void;
  /** Says why, and ends. */
  end(reason: string): void;
  /** An event of another name. */
  say(event: string, data: object): void;
}

/** Browsers come back after this, ms. */
const RETRY_MS = 2_000;

/**
 * `wants`: which detections the reader has asked for. A reader so slow that `maxWaitingBytes` wait for it is disconnected; it resumes with the id of
 * the last event that it received.
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
    say: (event, data) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end(reason) {
      send(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
      if (!body.destroyed && !ended) body.push(null);
      ended = true;
    },
  };
}
