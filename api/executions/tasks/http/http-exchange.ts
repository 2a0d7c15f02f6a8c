import { OutboundFailure, type OutboundFetch } from '../../../outbound/port.ts';
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
import { type HttpTask, httpRequestOf } from './http-request.ts';
import type { TokenPolicy } from './token-request.ts';

export interface HttpTaskDeps {
  readonly fetch: OutboundFetch;
  readonly resolveSecrets: ResolveSecrets;
  readonly files: TaskFiles;
  /** Shared with other protocols; by default those of this one. */
  readonly tokens?: AccessTokens;
}

export interface HttpTaskConfig {
  /** Of one exchange. Default 60,000; shorter times are the definition's `timeout`. */
  readonly timeoutMs?: number;
  /** Of an answer after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
}

const EXCERPT = 500;

/** An answer. Secrets are removed from it. */
export interface HttpExchange {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** What the definition asked for. Throws for a status of 400 and more, and for 300 to 399 unless `redirect` says otherwise. */
  readonly output: () => JsonValue;
}

export type SendHttp = (task: HttpTask, context: TaskContext) => Promise<HttpExchange>;

/** Sends requests of tasks through the outbound guard, with their authentication. */
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

  /** The first answer is a challenge; the second request answers it. */
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
    // A token that is not taken any more is not used again, and the call is made once more with a new one.
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

/** The token is a secret like those it was fetched with: a service may repeat it. */
function withToken(asks: Asks, token: string): Asks {
  const { request, secrets } = authorized(asks, `Bearer ${token}`);
  return { request, secrets: [...secrets, token] };
}

function textOf(content: JsonValue): string {
  if (content === null) return '';
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return `: ${text.length > EXCERPT ? `${text.slice(0, EXCERPT)} …` : text}`;
}
