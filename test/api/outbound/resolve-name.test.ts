import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseHosts, parseSearchRules } from '#api/outbound/name-files.ts';
import { createNameResolver } from '#api/outbound/resolve-name.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type DnsZone, startDnsServer } from './dns-server.ts';

/** Creates a resolver with a DNS server and files of its own. */
async function resolver(zone: DnsZone, { hosts = '', config = '' } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-names-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const hostsFile = path.join(folder, 'hosts');
  const resolverFile = path.join(folder, 'resolv.conf');
  await Promise.all([writeFile(hostsFile, hosts), writeFile(resolverFile, config)]);
  const { address, asked } = await startDnsServer(zone);
  return { resolve: createNameResolver({ hostsFile, resolverFile, servers: [address] }), asked, hostsFile };
}

describe('a name', () => {
  test('has all its addresses of DNS, of both families', async () => {
    const zone = { 'two.example': ['192.0.2.1', '192.0.2.2', '2001:db8:0:0:0:0:0:1'] };
    const { resolve } = await resolver(zone);
    expect(await resolve('Two.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  });

  test('of the hosts file is not asked of DNS, and a change of the file counts at once', async () => {
    const { resolve, asked, hostsFile } = await resolver({}, { hosts: '10.0.0.7 store.internal store # the store\n' });
    expect(await resolve('store')).toEqual(['10.0.0.7']);
    await writeFile(hostsFile, '10.0.0.8 store\n');
    await utimes(hostsFile, 1, 1);
    expect(await resolve('store')).toEqual(['10.0.0.8']);
    expect(asked).toEqual([]);
  });

  test.each(['localhost', 'a.localhost'])('%s is this machine without DNS', async (name) => {
    const { resolve, asked } = await resolver({ localhost: ['192.0.2.1'] });
    expect(await resolve(name)).toEqual(['127.0.0.1', '::1']);
    expect(asked).toEqual([]);
  });

  test('that is short is completed by the search domains', async () => {
    const zone = { 'hook.tools.svc.cluster': ['10.0.0.1'], 'hook.tools': ['192.0.2.1'] };
    const config = 'search svc.cluster cluster\noptions edns0 ndots:5\n';
    expect(await (await resolver(zone, { config })).resolve('hook.tools')).toEqual(['10.0.0.1']);
    expect(await (await resolver(zone, { config: 'search svc.cluster' })).resolve('hook.tools')).toEqual(['192.0.2.1']);
  });

  test('that does not exist is rejected', async () => {
    const { resolve } = await resolver({ 'empty.example': [] });
    await expect(resolve('none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('empty.example')).rejects.toMatchObject({ code: 'ENODATA' });
  });
});

test('names whose server does not answer delay no other name', async () => {
  const names = Array.from({ length: 100 }, (_, number) => `slow${number}.example`);
  const zone = Object.fromEntries(names.map((name) => [name, 'silent' as const]));
  const { resolve, asked } = await resolver({ ...zone, 'fast.example': ['192.0.2.1'] });
  for (const name of names) resolve(name).catch(() => {}); // given up after the test
  await waitFor('a question for each name', async () => names.every((name) => asked.includes(name)));
  expect(await resolve('fast.example')).toEqual(['192.0.2.1']);
});

test('files of the machine are read as the C library reads them', () => {
  const hosts = parseHosts('# comment\n127.0.0.1\tlocalhost\n::1 localhost ip6-localhost.\nnonsense name\n\n');
  expect(Object.fromEntries(hosts)).toEqual({ localhost: ['127.0.0.1', '::1'], 'ip6-localhost': ['::1'] });
  expect(parseSearchRules('domain a.example\nsearch b.example. C.example\noptions timeout:1 ndots:99\n')).toEqual({
    domains: ['b.example', 'c.example'],
    dots: 15,
  });
  expect(parseSearchRules('')).toEqual({ domains: [], dots: 1 });
});
