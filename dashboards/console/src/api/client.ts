import { earlyAnswer } from './early-answers.ts';
import { failureOf, unreachable } from './failure.ts';
import type { Answer, CallOptions, Method, Operation, PathOf } from './operations.ts';
import { createPace } from './pace.ts';

export type { Answer, Body, PathOf, Query } from './operations.ts';

const pace = createPace({ onWait: (ms) => dispatchEvent(new CustomEvent('trapline:waiting', { detail: ms })) });

/**
 * Calls the API with the session of the browser. Rejects with a `Failure`, also if the server did not respond, or with
 * an `AbortError` if `signal` aborts. If the session has ended, also dispatches `trapline:signed-out` to the window.
 */
export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  options: CallOptions<Operation<M, P>>,
): Promise<Answer<M, P>> {
  const { value } = await callForHeaders(method, path, options);
  return value;
}

/** Like `call`, and also returns the response headers, for example an `ETag`. */
export async function callForHeaders<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  { signal, headers = {}, path: inPath, query, body }: CallOptions<Operation<M, P>>,
): Promise<{ readonly value: Answer<M, P>; readonly headers: Headers }> {
  const response = await send(
    addressOf(path, { path: inPath as object | undefined, query: query as object | undefined }),
    {
      method: method.toUpperCase(),
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    },
  );
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  return { value: (json ? await response.json() : undefined) as Answer<M, P>, headers: response.headers };
}

/** Like `call`, for requests without types: files, forms, text. */
export async function send(address: string, init: RequestInit = {}): Promise<Response> {
  const response = (isGet(init) && (await earlyAnswer(address))) || (await request(address, init));
  pace.learn(response.headers);
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (failure.status === 401) dispatchEvent(new CustomEvent('trapline:signed-out'));
  throw failure;
}

async function request(address: string, init: RequestInit): Promise<Response> {
  await pace.turn();
  return fetch(address, init).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : unreachable();
  });
}

function isGet({ method = 'GET' }: RequestInit): boolean {
  return method === 'GET';
}

/**
 * Returns the URL of a call. Replaces names in braces, omits undefined and empty query parameters, and joins lists with
 * commas.
 */
export function addressOf(
  template: string,
  { path = {}, query = {} }: { readonly path?: object | undefined; readonly query?: object | undefined } = {},
): string {
  const named = Object.entries(path).reduce(
    (address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(String(value))),
    template,
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
        ? []
        : [[name, String(value)]],
    ),
  ).toString();
  return search === '' ? named : `${named}?${search}`;
}
