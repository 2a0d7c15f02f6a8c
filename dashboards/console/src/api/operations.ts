import type { paths } from './schema.d.ts';

/*
 * Types of calls. They are separate from the code that sends requests, because code outside the browser uses them too.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** Paths that support this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never;
}[keyof paths];
export type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never;
type Parameters<O> = O extends { parameters: infer A } ? A : Record<never, never>;
type QueryOf<O> = Parameters<O> extends { query?: infer Q } ? Q : never;
type InPath<O> = Parameters<O> extends { path: infer A } ? A : never;
type BodyOf<O> = O extends { requestBody?: { content: { 'application/json'?: infer B } } } ? B : never;
type Content<R> = R extends { content: infer C }
  ? [C] extends [never]
    ? undefined
    : C extends { 'application/json': infer B }
      ? B
      : undefined
  : undefined;

/** Response of a successful call. Undefined for a response without JSON. */
export type Answer<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer R } ? Content<R[keyof R]> : undefined;
export type Query<M extends Method, P extends PathOf<M>> = QueryOf<Operation<M, P>>;
export type Body<M extends Method, P extends PathOf<M>> = BodyOf<Operation<M, P>>;

export type CallOptions<O> = {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
} & ([InPath<O>] extends [never] ? { readonly path?: undefined } : { readonly path: InPath<O> }) &
  ([QueryOf<O>] extends [never] ? { readonly query?: undefined } : { readonly query?: QueryOf<O> | undefined }) &
  ([BodyOf<O>] extends [never] ? { readonly body?: undefined } : { readonly body?: BodyOf<O> | undefined });
