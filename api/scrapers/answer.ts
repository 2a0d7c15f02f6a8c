/** What upstream has: the answer as JSON, an object with `data`; or nothing of that name. */
export type Answer = { readonly kind: 'found'; readonly body: string } | { readonly kind: 'not_found' };
