/** A value that is made when it is first asked for. The first format of a kind takes the browser milliseconds, which the first page has no use for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
