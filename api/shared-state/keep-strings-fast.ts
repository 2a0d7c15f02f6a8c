/** Number of calls after which V8 creates an inline cache. */
const CALLS = 100;

/**
 * Runs before ioredis is loaded. One of its classes extends `String`. V8 (seen in 14.6) then stores the properties of
 * `String.prototype` in a hash table, and every call of a string method in the process takes about five times as long.
 * If an inline cache has read a property through a prototype, V8 keeps its fast form.
 */
function readThroughPrototype(value: { readonly charCodeAt: unknown }): unknown {
  return value.charCodeAt;
}

for (let call = 0; call < CALLS; call++) readThroughPrototype(Object.create(String.prototype));
