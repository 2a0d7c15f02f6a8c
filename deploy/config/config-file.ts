/** One setting of a file, with its line number. */
export interface FileEntry {
  readonly value: string;
  readonly line: number;
}

export interface ConfigFile {
  readonly entries: ReadonlyMap<string, FileEntry>;
  /** Errors for lines that are not settings. They do not contain the text of the line, which may be a secret. */
  readonly errors: readonly string[];
}

/**
 * Parses a file of `NAME=value` lines: `#` comments, optional `export`, optional single or double quotes. Values are
 * not expanded. A duplicate name is an error, because one of the two values would have no effect.
 */
export function parseConfigFile(text: string): ConfigFile {
  const entries = new Map<string, FileEntry>();
  const errors: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const match = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line);
    const name = match?.[1];
    const value = unquote(match?.[2] ?? '');
    if (name === undefined) errors.push(`line ${index + 1}: must be NAME=value`);
    else if (value === undefined) errors.push(`line ${index + 1}: the quotation mark of ${name} is not closed`);
    else if (entries.has(name))
      errors.push(`line ${index + 1}: ${name} stands in line ${entries.get(name)?.line} already`);
    else entries.set(name, { value, line: index + 1 });
  }
  return { entries, errors };
}

function unquote(text: string): string | undefined {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text.replace(/\s+#.*$/, '');
  const end = text.indexOf(quote, 1);
  return end > 0 && /^\s*(?:#.*)?$/.test(text.slice(end + 1)) ? text.slice(1, end) : undefined;
}
