/** The upstream response as JSON, an object with `data`; or `not_found` for an unknown name. */
export type Answer = { readonly kind: 'found'; readonly body: string } | { readonly kind: 'not_found' };
