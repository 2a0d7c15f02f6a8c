import { type Answer, addressOf, type Body, send } from '../../api/client.ts';
import { Failure, type Issue, unreachable } from '../../api/failure.ts';

/** Status of a back-test that failed after it was accepted. */
const FAILED = 503;

type Request = NonNullable<Body<'post', '/api/rules/{id}/backtest'>>;
export type BacktestAnswer = Answer<'post', '/api/rules/{id}/backtest'>;

/** Number of judged events, and their total. */
export interface Judged {
  readonly judged: number;
  readonly total: number;
}

interface Envelope {
  readonly issues: readonly Issue[];
  readonly requestId?: string;
}

/**
 * Runs a back-test. Calls `onPosition` with each position in the queue from 1, and with 0 at the start. Calls
 * `onJudged` with the number of judged events. Rejects with a `Failure`, or with an `AbortError` if `signal` aborts,
 * which also cancels it on the server.
 */
export async function runBacktest(
  rule: string,
  body: Request,
  {
    signal,
    onPosition,
    onJudged,
  }: {
    readonly signal: AbortSignal;
    readonly onPosition: (position: number) => void;
    readonly onJudged: (judged: Judged) => void;
  },
): Promise<BacktestAnswer> {
  const response = await send(addressOf('/api/rules/{id}/backtest', { path: { id: rule } }), {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'position') onPosition((data as { readonly position: number }).position);
    if (event === 'progress') onJudged(data as Judged);
    if (event === 'result') return data as BacktestAnswer;
    if (event === 'failure') throw new Failure({ status: FAILED, ...(data as Envelope) });
  }
  throw unreachable();
}

interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Yields the server-sent events of a response. Their data is JSON. Skips comments, which keep the connection alive. */
async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) return;
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const found = parseEvent(block);
      if (found !== undefined) yield found;
    }
  }
}

/** Parses one event of a stream. Undefined for a comment. */
export function parseEvent(block: string): ServerEvent | undefined {
  const fields = new Map(
    block.split('\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(': ');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2)]] : [];
    }),
  );
  const [event, data] = [fields.get('event'), fields.get('data')];
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) as unknown };
}
