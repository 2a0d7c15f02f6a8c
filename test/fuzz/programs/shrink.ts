/**
 * Removes parts of a text while `fails` remains true: halves first, then smaller parts (ddmin; Zeller and Hildebrandt,
 * Simplifying and Isolating Failure-Inducing Input, 2002). Stops at the time `until`, in ms since the epoch.
 */
export async function shrinkText(
  text: string,
  fails: (text: string) => Promise<boolean>,
  until: number,
): Promise<string> {
  let smallest = text;
  let parts = 2;
  while (smallest.length > 1 && parts <= smallest.length && Date.now() < until) {
    const size = Math.ceil(smallest.length / parts);
    let smaller: string | undefined;
    for (let at = 0; at < smallest.length && smaller === undefined && Date.now() < until; at += size) {
      const candidate = smallest.slice(0, at) + smallest.slice(at + size);
      if (await fails(candidate)) smaller = candidate;
    }
    if (smaller === undefined) parts *= 2;
    else {
      smallest = smaller;
      parts = Math.max(2, parts - 1);
    }
  }
  return smallest;
}
