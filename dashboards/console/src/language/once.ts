/**
 * Returns a function that creates a value on first use. Creating the first format of a kind takes milliseconds, which
 * would delay the first page.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
