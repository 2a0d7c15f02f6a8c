import type { WebSocket } from 'ws';
import { dropped } from './live-feed.ts';

/** One reader of the live feed. */
export interface FeedPeer {
  /**
   * Sends a message, unless too much data is unsent. Then the message is dropped, and the reader receives the number of
   * dropped messages as soon as there is room.
   */
  send(message: string): void;
  /** Sends a ping. Closes the connection if the previous one was not answered. */
  beat(): void;
  /** Sends a close frame. Cuts the connection if the peer does not respond within a second. */
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
  // Messages of the reader are ignored, but must be read so that pongs arrive.
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
