import { OutboundFailure, type OutboundFetch } from '#api/outbound/port.ts';
import type { HttpTask } from '../../engine/contract/call-task.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import { outboundFailure } from '../outbound-failure.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import type { ResolveSecrets } from '../secrets.ts';
import type { TaskFiles } from '../task-files.ts';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { digestAuthorization, digestChallengeOf } from './digest.ts';
import { contentOf, outputOf, shownUrl } from './http-answer.ts';
import { httpRequestOf } from './http-request.ts';
import type { TokenPolicy } from './token-request.ts';

export interface HttpTaskDeps {
  readonly fetch: OutboundFetch;
  readonly resolveSecrets: ResolveSecrets;
  readonly files: TaskFiles;
  /** Shared with other protocols. By default, this protocol has its own. */
  readonly tokens?: AccessTokens;
}

export interface HttpTaskConfig {
  /** Timeout of one exchange, in ms. Default 60,000. A shorter `timeout` of the definition applies too. */
  readonly timeoutMs?: number;
  /** Maximum size of a response after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
}

const EXCERPT = 500;

/** A response, with secrets redacted. */
export interface HttpExchange {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /**
   * Returns the output that the definition requests. Throws for a status of 400 or more, and for 300 to 399 unless
   * `redirect` is set.
   */
  readonly output: () => JsonValue;
}

export type SendHttp = (task: HttpTask, context: TaskContext) => Promise<HttpExchange>;

/** Sends HTTP requests of tasks through the outbound guard, with authentication. */
export function createHttpExchange(
  { fetch, resolveSecrets, files, tokens = createAccessTokens({ fetch }) }: HttpTaskDeps,
  config: HttpTaskConfig = {},
): SendHttp {
  const { timeoutMs = 60_000, maxBytes = 5 * 2 ** 20 } = config;

  return async (task, context) => {
    const asks = await httpRequestOf(task, context, { resolveSecrets, files });
    switch (asks.authentication?.scheme) {
      case 'digest':
        return digestExchange(task, context, asks, asks.authentication);
      case 'oauth2':
        return tokenExchange(task, context, asks, asks.authentication.policy);
      default:
        return exchange(task, context, asks);
    }
  };

  /** Sends a request, and if the response is a challenge, a second one that answers it. */
  async function digestExchange(
    task: HttpTask,
    context: TaskContext,
    asks: Asks,
    { username, password }: { readonly username: string; readonly password: string },
  ): Promise<HttpExchange> {
    const first = await exchange(task, context, asks);
    const challenge = first.status === 401 ? digestChallengeOf(first.headers['www-authenticate'] ?? '') : undefined;
    if (challenge === undefined) return first;
    const { pathname, search } = new URL(asks.request.url);
    const request = { method: asks.request.method ?? 'GET', uri: pathname + search, username, password };
    return exchange(task, context, authorized(asks, digestAuthorization(challenge, request)));
  }

  async function tokenExchange(
    task: HttpTask,
    context: TaskContext,
    asks: Asks & Pick<Awaited<ReturnType<typeof httpRequestOf>>, 'requireAddress'>,
    policy: TokenPolicy,
  ): Promise<HttpExchange> {
    const { step, signal } = context;
    const wish = { step, signal, requireAddress: asks.requireAddress };
    const { token, kept } = await tokens.get(policy, wish);
    const first = await exchange(task, context, withToken(asks, token));
    if (first.status !== 401) return first;
    // Forgets a token that is no longer accepted, and repeats the call once with a new one.
    tokens.forget(policy, token);
    if (!kept) return first;
    const fresh = await tokens.get(policy, wish);
    return exchange(task, context, withToken(asks, fresh.token));
  }

  async function exchange(task: HttpTask, context: TaskContext, { request, secrets }: Asks): Promise<HttpExchange> {
    const redaction = createRedaction(secrets);
    const asked = redaction.json(`${request.method} ${shownUrl(request.url)}`);
    try {
      const answer = await fetch({ ...request, timeoutMs, maxBytes });
      const response = { ...answer, body: redaction.bytes(answer.body) };
      const { status } = response;
      const output = () => {
        if (status < 200 || status >= 400 || (status >= 300 && !task.redirect)) {
          const excerpt = textOf(redaction.json(contentOf(response)));
          throw taskFailure('communication', context.step, `${asked} was answered with ${status}${excerpt}`, {
            status,
          });
        }
        return redaction.json(outputOf(task, request, response));
      };
      return { status, headers: redaction.json(answer.headers), text: response.body.toString('utf8'), output };
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof OutboundFailure)) throw error;
      throw outboundFailure(error, context, asked);
    }
  }
}

type Asks = Pick<Awaited<ReturnType<typeof httpRequestOf>>, 'request' | 'secrets'>;

function authorized({ request, secrets }: Asks, authorization: string): Asks {
  return { request: { ...request, headers: { ...request.headers, authorization } }, secrets };
}

/** Adds the token to the values to redact, because a service may repeat it. */
function withToken(asks: Asks, token: string): Asks {
  const { request, secrets } = authorized(asks, `Bearer ${token}`);
  return { request, secrets: [...secrets, token] };
}

function textOf(content: JsonValue): string {
  if (content === null) return '';
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return `: ${text.length > EXCERPT ? `${text.slice(0, EXCERPT)} …` : text}`;
}
