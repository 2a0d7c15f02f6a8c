import { Resolver } from 'node:dns/promises';
import { createParsedFile, parseHosts, parseSearchRules, type SearchRules } from './name-files.ts';

/** Resolves a name to all its addresses. Rejects if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface NameResolverOptions {
  readonly hostsFile?: string;
  readonly resolverFile?: string;
  /** DNS servers, `address:port`. Default: those of the machine. */
  readonly servers?: readonly string[];
}

/** A name without an answer is given up after about 6 s for each server. */
const DNS_OPTIONS = { timeout: 2_000, maxTimeout: 2_000, tries: 2 };
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves names like other programs of the machine: hosts file, then DNS with the search domains. Other sources of
 * names (nsswitch.conf) are not used.
 *
 * It does not use getaddrinfo(3). This function occupies one of few threads of the process until the DNS server
 * answers, so a user with a slow DNS server could stop the requests of all other users. Each lookup has sockets and
 * ports of its own.
 */
export function createNameResolver({
  hostsFile = '/etc/hosts',
  resolverFile = '/etc/resolv.conf',
  servers,
}: NameResolverOptions = {}): Resolve {
  const hosts = createParsedFile(hostsFile, parseHosts);
  const rules = createParsedFile(resolverFile, parseSearchRules);
  return async (name) => {
    const wanted = name.toLowerCase();
    const known = (await hosts()).get(wanted);
    if (known !== undefined) return known;
    // RFC 6761: DNS servers are not asked for these names.
    if (/(?:^|\.)localhost$/.test(wanted)) return LOOPBACK;
    const resolver = new Resolver(DNS_OPTIONS);
    if (servers !== undefined) resolver.setServers(servers);
    let failure: unknown;
    for (const candidate of candidatesOf(wanted, await rules())) {
      try {
        return await addressesOf(resolver, candidate);
      } catch (error) {
        failure = error;
        if (isTimeout(error)) break;
      }
    }
    throw failure;
  };
}

/** Returns the names for which DNS is asked, in this order. */
function candidatesOf(name: string, { domains, dots }: SearchRules): string[] {
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length > dots ? [name, ...completed] : [...completed, name];
}

async function addressesOf(resolver: Resolver, name: string): Promise<readonly string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  throw failures.find(isTimeout) ?? failures[0] ?? new Error(`${name} has no address`);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}
