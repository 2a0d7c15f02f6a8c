import type { Scope } from '#schemas/api/roles.ts';

/**
 * Access that a route requires. Every route declares it as `config.access`; building the server fails for a route
 * without it. The security part of the OpenAPI description is generated from the same declaration.
 */
export type Access =
  /** No authentication. */
  | { readonly by: 'anyone' }
  /** A session of any role. */
  | { readonly by: 'session' }
  /** A session with the role admin, or the operator key of the machine. */
  | { readonly by: 'admin' }
  /** A key with this scope (`x-api-key` or `Authorization: Bearer`). The operator key has all scopes. */
  | { readonly by: 'key'; readonly scope: Scope }
  /** A key with any scope. The route checks the scope of each request that it makes for the caller. */
  | { readonly by: 'any-key' }
  /**
   * A key with this scope, or a session whose role includes it. The scope `or` is also accepted; the handler checks
   * what it permits.
   */
  | { readonly by: 'key-or-session'; readonly scope: Scope; readonly or?: Scope }
  /** The header `x-admin-key`. */
  | { readonly by: 'admin-key' };

/**
 * The limit that a request of this route counts toward.
 * - `address`: the general limit of the client address.
 * - `poll`: the budget of the key. Requests without a valid key and refused requests (4xx) count toward the address, so
 *   that guessing ids is limited.
 * - `none`: no limit.
 */
export type Limiting = 'address' | 'poll' | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Default `address`. */
    limiting?: Limiting;
    /** `refusals`: the API log records only refused and failed requests, as for pages and their files. Default `all`. */
    logged?: 'all' | 'refusals';
  }
}
