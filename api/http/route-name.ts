const names = new Map<string, string>();

/**
 * The pattern of a route as people read it, in metrics and records: `/:section/*`, without the expression that says what a section may be. `none`
 * for a request that no route took. There are as many as there are routes.
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

/** Expressions stand in brackets behind the name of a parameter, and may have brackets themselves. */
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
