import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

/** How names are completed before DNS is asked (resolv.conf(5)). */
export interface SearchRules {
  /** Domains that are appended to short names. */
  readonly domains: readonly string[];
  /** A name with fewer dots is tried with the domains first. */
  readonly dots: number;
}

/** Limits of the C library. */
const MAX_DOMAINS = 6;
const MAX_DOTS = 15;

/** Returns the addresses of each name in a hosts file (hosts(5)). Names are in lower case. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of linesOf(text)) {
    const [address = '', ...names] = line;
    if (isIP(address) === 0) continue;
    for (const name of names.map(bare)) hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return hosts;
}

/** Returns the search rules of a resolver configuration (resolv.conf(5)). The last `search` or `domain` counts. */
export function parseSearchRules(text: string): SearchRules {
  let domains: readonly string[] = [];
  let dots = 1;
  for (const [keyword, ...values] of linesOf(text)) {
    if (keyword === 'search' || keyword === 'domain') domains = values.map(bare).filter(Boolean).slice(0, MAX_DOMAINS);
    if (keyword !== 'options') continue;
    const option = values.map((value) => /^ndots:(\d{1,3})$/.exec(value)?.[1]).findLast(Boolean);
    if (option !== undefined) dots = Math.min(Number(option), MAX_DOTS);
  }
  return { domains, dots };
}

/**
 * Returns a function that reads and parses a file. It parses again only after a change of the file. A file that does not
 * exist counts as empty.
 */
export function createParsedFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let known: { readonly version: string; readonly value: T } | undefined;
  return async () => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const version = `${ino} ${mtimeMs} ${size}`;
      if (known?.version !== version) known = { version, value: parse(await readFile(path, 'utf8')) };
      return known.value;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return parse('');
      throw error;
    }
  };
}

function linesOf(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*$/, '')
      .split(/\s+/)
      .filter(Boolean),
  );
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
