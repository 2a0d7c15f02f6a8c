const names = new Map<string, string>();

/**
 * Returns the readable pattern of a route for metrics and records: `/:section/*`, without the regular expression of a
 * parameter. `none` if no route matched. The number of names is bounded by the number of routes.
 */
export function routeName(url: string | undefined): string {
  if (url === undefined) return 'none';
  let name = names.get(url);
  if (name === undefined) {
    name = withoutExpressions(url);
    names.set(url, name);
  }
  return name;
}

/** A regular expression follows the parameter name in parentheses, and may contain parentheses. */
function withoutExpressions(url: string): string {
  let kept = '';
  let depth = 0;
  for (const character of url) {
    if (character === '(') depth += 1;
    if (depth === 0) kept += character;
    if (character === ')') depth -= 1;
  }
  return kept;
}
