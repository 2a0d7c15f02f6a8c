import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSyslog, syslogFrame } from '#api/outputs/kinds/syslog.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { waitFor } from '#test/support/wait-for.ts';
import { failure, soon } from '../deliveries.ts';
import { message } from '../fixture.ts';
import { syslogServer } from '../receivers.ts';

const local = { tls: false, format: 'json', facility: 13, host: '127.0.0.1' } as const;

async function certificates() {
  const dir = await mkdtemp(path.join(tmpdir(), 'trapline-outputs-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return makeCertificates(dir);
}

test('a frame is RFC 5424 with its length in bytes, for any message', () => {
  const one = message({ message: 'a line\nanother — “quoted” 🦉', severity: 'critical' });
  for (const format of ['cef', 'json'] as const) {
    const frame = syslogFrame(one, { format, facility: 13, hostname: 'trap 1' }).toString();
    const [, length, rest = ''] = /^(\d+) ([\s\S]*)$/.exec(frame) ?? [];
    expect(Buffer.byteLength(rest)).toBe(Number(length));
    const header = `<${13 * 8 + 2}>1 2026-03-01T12:00:00.123Z trap1 trapline - detection.opened [detection@32473 id="${one.detection.id}" revision="1" cause="opened"] `;
    expect(rest.startsWith(header)).toBe(true);
    const text = rest.slice(header.length);
    expect(text).not.toContain('\n');
    if (format === 'cef') expect(text).toMatch(/^CEF:0\|Trapline\|.* cat=detection\.opened$/);
    else expect(JSON.parse(text)).toMatchObject({ type: 'detection.opened', detection: { id: one.detection.id } });
    expect(text).toContain(format === 'json' ? '18446744073709551615' : 'cs6=new');
  }
});

test('syslog over TCP: sends all messages in order, also to a receiver that never closes', async () => {
  for (const stay of [false, true]) {
    const server = await syslogServer({ stay });
    const output = openSyslog({ ...local, port: server.port }, {});
    const batch = Array.from({ length: 50 }, () => message({ message: 'x'.repeat(20_000) }));
    const { answer } = await output.deliver(batch, soon());
    expect(answer).toContain(stay ? 'kept the connection open' : 'closed the connection');
    await waitFor('the frames', () => server.frames.length === 50);
    expect(server.frames.map((frame) => /id="(\w+)"/.exec(frame)?.[1])).toEqual(batch.map(({ detection: d }) => d.id));
    expect(server.leftovers).toEqual([]);
  }
});

test('syslog over TLS: verifies the certificate, and presents one if required', async () => {
  const { ca, serverKey, serverCertificate, clientKey, clientCertificate } = await certificates();
  const tls = { key: serverKey, cert: serverCertificate, ca, requestCert: true, rejectUnauthorized: true };
  const server = await syslogServer({ tls });
  const settings = {
    ...local,
    format: 'cef',
    tls: true,
    port: server.port,
    ca,
    certificate: clientCertificate,
  } as const;
  const { answer } = await openSyslog(settings, { key: clientKey }).deliver([message(), message()], soon());
  expect(answer).toContain('over TLS');
  await waitFor('the frames', () => server.frames.length === 2);

  const { ca: stranger } = await certificates();
  for (const [wrong, key] of [
    [{ ...settings, ca: stranger }, clientKey],
    [{ ...settings, serverName: 'elsewhere.example' }, clientKey],
    [{ ...settings, certificate: undefined }, undefined],
  ] as const) {
    const { certificate, ...rest } = wrong;
    const refused = openSyslog(
      certificate === undefined ? rest : { ...rest, certificate },
      key === undefined ? {} : { key },
    );
    expect((await failure(refused.deliver([message()], soon())))?.kind).toBe('temporary');
  }
  expect(server.frames).toHaveLength(2);
});

test('syslog: a closed port, a disconnect and an unread connection are temporary failures', async () => {
  const unreachable = openSyslog({ ...local, port: await freePort() }, {});
  expect(await failure(unreachable.deliver([message()], soon()))).toMatchObject({ kind: 'temporary', delivered: 0 });
  const server = await syslogServer();
  const output = openSyslog({ ...local, port: server.port }, {});
  await server.close();
  expect((await failure(output.deliver([message()], soon())))?.message).toContain('ECONNREFUSED');
  expect((await failure(output.deliver([message()], AbortSignal.abort())))?.kind).toBe('temporary');
});
