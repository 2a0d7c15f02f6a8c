/**
 * Expands queries as Grafana and its ClickHouse plugin do before sending them, for tests that send queries directly.
 */

export interface Shown {
  /** Epoch seconds. */
  readonly from: number;
  readonly to: number;
  /** Selected values of the dashboard variables; undefined means All. */
  readonly host?: readonly string[];
  readonly program?: readonly string[];
}

/** Returns the SQL with its macros and variables expanded. */
export function expandSql(sql: string, shown: Shown): string {
  const chosen = { host: shown.host, program: shown.program };
  let text = sql;
  for (const [name, values] of Object.entries(chosen)) {
    const list = (values ?? []).map((value) => `'${Buffer.from(value).toString('hex').toUpperCase()}'`).join(',');
    text = withoutConditional(text, name, values === undefined).replaceAll(`\${${name}:singlequote}`, list);
  }
  text = text
    .replace(/\$__timeFilter\((\w+)\)/g, `$1 >= toDateTime(${shown.from}) AND $1 <= toDateTime(${shown.to})`)
    .replace(/\$__timeInterval\((\w+)\)/g, 'toStartOfInterval(toDateTime($1), INTERVAL 60 second)');
  if (text.includes('$')) throw new Error(`something is left to put in: ${text}`);
  return text;
}

/** Replaces `$__conditionalAll(condition, $name)` with the condition, or with 1=1 when All is selected. */
function withoutConditional(sql: string, name: string, all: boolean): string {
  const begin = '$__conditionalAll(';
  const end = `, $${name})`;
  let text = sql;
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end)) {
    const start = text.lastIndexOf(begin, at);
    const condition = all ? '1=1' : text.slice(start + begin.length, at);
    text = text.slice(0, start) + condition + text.slice(at + end.length);
  }
  return text;
}

/** Returns the PromQL with its variables expanded. The rate interval is 10 seconds instead of minutes. */
export function expandPromql(expr: string): string {
  const text = expr.replaceAll('$job', '.+').replaceAll('$__rate_interval', '10s');
  if (text.includes('$')) throw new Error(`something is left to put in: ${text}`);
  return text;
}
