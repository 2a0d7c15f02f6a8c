/** The part of the browser's `EventSource` that is used. */
export interface EventStream {
  readonly readyState: number;
  addEventListener(
    kind: string,
    listener: (event: { readonly data: string; readonly lastEventId: string }) => void,
  ): void;
  close(): void;
}

/** `refused`: the server rejects the request. It is retried. */
export type StreamState = 'live' | 'connecting' | 'refused';

const CLOSED = 2;
const RETRY_MS = 30_000;

/**
 * Follows server-sent events until it is stopped. The browser reconnects when a connection breaks, but not after a
 * rejection, for example by a server that is starting. In this case, the stream is reopened every 30 s and continues
 * after the last received event. Browsers do not report the reason of a rejection: `onRefused` checks whether the
 * session has ended.
 */
export function followEvents(
  /** `undefined`: no event was received yet. */
  addressAfter: (lastEventId: string | undefined) => string,
  {
    kinds,
    onEvent,
    onState,
  }: {
    readonly kinds: readonly string[];
    readonly onEvent: (event: { readonly kind: string; readonly id: string; readonly data: unknown }) => void;
    readonly onState: (state: StreamState) => void;
  },
  {
    open = (address: string): EventStream => new EventSource(address),
    retryMs = RETRY_MS,
    onRefused = checkSession,
  }: {
    readonly open?: (address: string) => EventStream;
    readonly retryMs?: number;
    readonly onRefused?: () => void;
  } = {},
): () => void {
  let last: string | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let stream = connect();

  function connect(): EventStream {
    const opened = open(addressAfter(last));
    opened.addEventListener('open', () => onState('live'));
    opened.addEventListener('error', () => {
      const refused = opened.readyState === CLOSED;
      onState(refused ? 'refused' : 'connecting');
      if (!refused) return;
      onRefused();
      retry = setTimeout(() => {
        stream = connect();
      }, retryMs);
    });
    for (const kind of kinds)
      opened.addEventListener(kind, ({ data, lastEventId }) => {
        if (lastEventId !== '') last = lastEventId;
        onEvent({ kind, id: lastEventId, data: JSON.parse(data) });
      });
    return opened;
  }

  return () => {
    clearTimeout(retry);
    stream.close();
  };
}

/** Raised on the window when the server rejected a stream. */
export const STREAM_REFUSED = 'trapline:stream-refused';

function checkSession(): void {
  dispatchEvent(new Event(STREAM_REFUSED));
}
