import type { WebSocket } from 'ws';
import { dropped } from './live-feed.ts';

/** One reader of the live feed. */
export interface FeedPeer {
  /** Sends a message, unless too much waits to be sent: then it is dropped, and the reader receives the number of dropped messages as soon as there is room. */
  send(message: string): void;
  /** Asks for a sign of life; ends the connection when the last one was not answered. */
  beat(): void;
  /** Says good-bye; who does not answer within a second is cut off. */
  end(code: number, reason: string): void;
}

const GOODBYE_MS = 1_000;

export function createFeedPeer(
  socket: WebSocket,
  { maxWaitingBytes, onDrop }: { readonly maxWaitingBytes: number; readonly onDrop: (messages: number) => void },
): FeedPeer {
  let missed = 0;
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  // What a reader sends is nothing we wait for; it is read so that pongs get through.
  socket.on('message', () => {});

  return {
    send(message) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > maxWaitingBytes) {
        missed++;
        onDrop(1);
        return;
      }
      if (missed > 0) {
        socket.send(JSON.stringify(dropped(missed)));
        missed = 0;
      }
      socket.send(message);
    },
    beat() {
      if (!alive) {
        socket.terminate();
        return;
      }
      alive = false;
      socket.ping();
    },
    end(code, reason) {
      socket.close(code, reason);
      const cutOff = setTimeout(() => socket.terminate(), GOODBYE_MS);
      socket.once('close', () => clearTimeout(cutOff));
    },
  };
}
