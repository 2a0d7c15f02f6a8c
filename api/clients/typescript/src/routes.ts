import { type Call, pathOf, type QueryValue, type RequestOptions } from './call.ts';
import type { Download } from './download.ts';
import type { Transport } from './transport.ts';
import type { components, paths } from './types/generated.ts';

/** Bodies of the API by name, generated from its description. */
export type Schemas = components['schemas'];

export type Path = keyof paths;
type Json<Content> = Content extends { 'application/json': infer Body } ? Body : never;

/** The query of a route. Filters accept one value or several; times are text or a Date. */
export type QueryOf<P extends Path, M extends keyof paths[P] = 'get' & keyof paths[P]> = paths[P][M] extends {
  parameters: { query?: infer Query };
}
  ? Loose<NonNullable<Query>>
  : Readonly<Record<never, never>>;

type Loose<Query> = {
  readonly [Name in keyof Query]?:
    | ([Exclude<Query[Name], undefined>] extends [string]
        ? Query[Name] | readonly Exclude<Query[Name], undefined>[] | Date
        : Query[Name])
    | undefined;
};

/** The JSON body of requests to a route. */
export type BodyOf<P extends Path, M extends keyof paths[P]> = paths[P][M] extends {
  requestBody: { content: infer Content };
}
  ? ReadOnly<Json<Content>>
  : never;

type ReadOnly<T> = { readonly [Name in keyof T]: T[Name] extends object | undefined ? ReadOnly<T[Name]> : T[Name] };

/** The JSON body of responses of a route. */
export type AnswerOf<P extends Path, M extends keyof paths[P]> = paths[P][M] extends {
  responses: infer Responses;
}
  ? {
      [Status in keyof Responses]: Responses[Status] extends { content: infer Content } ? Json<Content> : never;
    }[keyof Responses]
  : never;

/** An object with an ETag for `ifMatch`. */
export type Versioned<T> = T & { readonly etag?: string };

/**
 * Options of changes. With `ifMatch`, a change is refused with a ServicePreconditionError if the object has changed
 * since it was read.
 */
export interface ChangeOptions extends RequestOptions {
  /** `etag` of the object that was read. Without it, the last change wins. */
  readonly ifMatch?: string | undefined;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type With<P extends Path, M extends Method> = M extends keyof paths[P] ? M : never;

interface Sent extends Pick<Call, 'ifMatch' | 'signal' | 'repeatable' | 'idempotencyKey'> {
  /** Values of the path parameters, in order. */
  readonly path?: readonly string[] | undefined;
  readonly query?: object | undefined;
}

type SentTo<P extends Path, M extends Method> = Sent & {
  readonly json?: BodyOf<P, With<P, M> & keyof paths[P]> | undefined;
};

/** Requests to the documented routes. The compiler checks paths, bodies and responses. */
export interface Routes {
  json<P extends Path, M extends Method>(
    method: With<P, M>,
    path: P,
    sent?: SentTo<P, M>,
  ): Promise<AnswerOf<P, With<P, M> & keyof paths[P]>>;
  nothing<P extends Path, M extends Method>(method: With<P, M>, path: P, sent?: SentTo<P, M>): Promise<void>;
  download<P extends Path>(path: P, sent?: Sent): Promise<Download>;
  /** Returns the path with the values of its parameters. */
  pathOf(path: Path, ...values: readonly string[]): string;
}

export function createRoutes(transport: Transport): Routes {
  const callOf = (
    method: string,
    path: string,
    { path: values = [], query, ...rest }: Sent & { readonly json?: unknown } = {},
  ): Call => {
    let at = 0;
    return {
      method: method.toUpperCase() as Call['method'],
      path: path.replaceAll(/\/\{\w+\}/g, () => pathOf(values[at++] ?? '')),
      query: query as Readonly<Record<string, QueryValue>> | undefined,
      ...rest,
    };
  };
  return {
    pathOf: (path, ...values) => callOf('get', path, { path: values }).path,
    json: async (method, path, sent) => transport.json(callOf(method, path, sent)),
    nothing: async (method, path, sent) => transport.nothing(callOf(method, path, sent)),
    download: async (path, sent) => transport.download(callOf('get', path, sent)),
  };
}
