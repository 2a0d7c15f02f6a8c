/** What of the browser's `EventSource` is used. */
export interface EventStream {
  readonly readyState: number;
  addEventListener(
    kind: string,
    listener: (event: { readonly data: string; readonly lastEventId: string }) => void,
  ): void;
  close(): void;
}

/** `refused`: the server does not let us in, or not now; it is tried again. */
export type StreamState = 'live' | 'connecting' | 'refused';

const CLOSED = 2;
const RETRY_MS = 30_000;

/**
 * Follows server-sent events until it is ended. The browser comes back by itself when a connection breaks, but not when it was refused, as by a server that is being
 * started: then it is asked again every 30 s, for what came after the event that was heard last.
 */
export function followEvents(
  /** `undefined`: none was heard yet. */
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
  }: { readonly open?: (address: string) => EventStream; readonly retryMs?: number } = {},
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
      if (refused)
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
