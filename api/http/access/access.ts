import type { Scope } from '#schemas/api/roles.ts';

/**
 * What a route asks of its caller. Every route declares one (`config.access`); a route without is refused when the server is
 * built. The same declaration makes the security part of the OpenAPI description.
 */
export type Access =
  /** Anyone. */
  | { readonly by: 'anyone' }
  /** A session of any role. */
  | { readonly by: 'session' }
  /** A session with the role admin; the operator key of the machine too. */
  | { readonly by: 'admin' }
  /** A key with this scope (`x-api-key` or `Authorization: Bearer`). The operator key has all scopes. */
  | { readonly by: 'key'; readonly scope: Scope }
  /** A key with any scopes: the route checks the scope of each request that it makes for the caller. */
  | { readonly by: 'any-key' }
  /** A key with this scope, or a session whose role reaches as far. `or`: another scope does as well; the handler knows for what. */
  | { readonly by: 'key-or-session'; readonly scope: Scope; readonly or?: Scope }
  /** The header `x-admin-key`. */
  | { readonly by: 'admin-key' };

/**
 * How requests of a route count. `address`: under the general limit of the address. `poll`: a key has a budget of its own for it, unless the request is
 * refused (4xx): that counts for the address, so that trying ids is not free. Requests without a valid key count for the address. `none`: not counted.
 */
export type Limiting = 'address' | 'poll' | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Default `address`. */
    limiting?: Limiting;
    /** `refusals`: only what is refused or fails comes into the API log, as for pages and their files. Default `all`. */
    logged?: 'all' | 'refusals';
  }
}
