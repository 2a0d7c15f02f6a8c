import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { openChat } from '#api/outputs/kinds/chat.ts';
import { openKafka } from '#api/outputs/kinds/kafka.ts';
import { openSyslog } from '#api/outputs/kinds/syslog.ts';
import { syslogFrame } from '#api/outputs/kinds/syslog-frame.ts';
import { openWebhook } from '#api/outputs/kinds/webhook.ts';
import { OutputFailure } from '#api/outputs/port.ts';
import { testMessage } from '#api/outputs/test-message.ts';
import { checkSignature } from '#api/workflows/triggers/webhook-signature.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { makeTopic } from '#test/ingest/kafka/fixture.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { readTopic } from '#test/support/read-topic.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { useKafka } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { message } from './fixture.ts';
import { httpReceiver, syslogServer } from './receivers.ts';

const soon = () => AbortSignal.timeout(60_000);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof OutputFailure ? error : undefined),
  );
const local = { tls: false, format: 'json', facility: 13, host: '127.0.0.1' } as const;

function outboundFetch(allow = ['127.0.0.0/8']) {
  const fetch = createOutboundFetch({ allow });
  onTestFinished(() => fetch.close());
  return { fetch };
}

async function certificates() {
  const dir = await mkdtemp(path.join(tmpdir(), 'trapline-outputs-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return makeCertificates(dir);
}

test('a frame is RFC 5424 behind its length in bytes, whatever is in the message', () => {
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

test('syslog over TCP: all messages, in order, with every byte; a receiver that never closes has them too', async () => {
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

test('syslog over TLS: to the certificate that is expected, with one of our own where it is asked for; not to another', async () => {
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

test('syslog: nobody there, somebody who hangs up, and somebody who does not read are failures that pass', async () => {
  const nobody = openSyslog({ ...local, port: await freePort() }, {});
  expect(await failure(nobody.deliver([message()], soon()))).toMatchObject({ kind: 'temporary', delivered: 0 });
  const server = await syslogServer();
  const output = openSyslog({ ...local, port: server.port }, {});
  await server.close();
  expect((await failure(output.deliver([message()], soon())))?.message).toContain('ECONNREFUSED');
  expect((await failure(output.deliver([message()], AbortSignal.abort())))?.kind).toBe('temporary');
});

test('a webhook is signed over timestamp and body, and names the delivery', async () => {
  const receiver = await httpReceiver();
  const signingKey = 'a key of the tests, long enough';
  const output = openWebhook(outboundFetch(), { url: receiver.url }, { signingKey, authorization: 'Bearer abc' });
  const one = message();
  expect(await output.deliver([one], soon())).toEqual({ answer: 'HTTP 200: ok' });
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.taken;
  expect(headers).toMatchObject({
    authorization: 'Bearer abc',
    'content-type': 'application/json',
    'x-trapline-delivery': `${one.detection.id}:1:opened`,
  });
  const signature = String(headers['x-trapline-signature']);
  expect(checkSignature(signature, signingKey, Buffer.from(body), Date.now()).ok).toBe(true);
  expect(checkSignature(signature, `${signingKey}.`, Buffer.from(body), Date.now()).ok).toBe(false);
  expect(body).toContain('"EventCount":18446744073709551615');
  expect(JSON.parse(body)).toMatchObject({ test: false, type: 'detection.opened' });
});

test('what HTTP answers mean: 2xx taken; the message refused; the receiver to wait for', async () => {
  let status = 200;
  const receiver = await httpReceiver(() => ({ status, body: 'no\nthanks', headers: { 'retry-after': '7' } }));
  const output = openWebhook(outboundFetch(), { url: receiver.url }, { signingKey: 'k'.repeat(16) });
  for (const [answered, kind] of [
    [204, undefined],
    [302, 'temporary'],
    [400, 'permanent'],
    [401, 'temporary'],
    [404, 'temporary'],
    [413, 'permanent'],
    [422, 'permanent'],
    [429, 'temporary'],
    [500, 'temporary'],
    [503, 'temporary'],
  ] as const) {
    status = answered;
    const failed = await failure(output.deliver([message()], soon()));
    expect([answered, failed?.kind]).toEqual([answered, kind]);
    if (failed !== undefined)
      expect(failed).toMatchObject({ retryAfterMs: 7_000, message: `HTTP ${answered}: no thanks` });
  }
  const inside = openWebhook(outboundFetch([]), { url: receiver.url }, { signingKey: 'k'.repeat(16) });
  expect(await failure(inside.deliver([message()], soon()))).toMatchObject({
    kind: 'temporary',
    message: expect.stringContaining('not public'),
  });
});

test('chats get text for people, in which nothing of an attacker becomes a link or calls a channel', async () => {
  const receiver = await httpReceiver();
  const one = message({ message: '<!channel> <https://evil.example|here>\u0007', procname: '*x*' });
  await openChat(outboundFetch(), { style: 'slack' }, { url: receiver.url }).deliver([one], soon());
  await openChat(outboundFetch(), { style: 'text' }, { url: receiver.url }).deliver(
    [testMessage('chat', new Date())],
    soon(),
  );
  const [slack, text] = receiver.taken;
  const said = (JSON.parse(slack?.body ?? '') as { text: string }).text;
  expect(said).toContain('[HIGH] New detection: Instruction pointer probe');
  expect(said).toContain('&lt;!channel&gt;');
  expect(said).not.toMatch(/<|\p{Cc}(?<!\n)/u);
  expect(text?.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text?.body).toMatch(/^\[INFO\] Test, nothing happened/);
});

test('Kafka: keyed by host, with id and revision as headers; one that is too large is refused alone; a broker that is away is waited for without repeats', async () => {
  const { brokers } = await useKafka();
  const connection = { brokers };
  const topic = await makeTopic(connection, { partitions: 1 });
  const openProducer = () => createEventProducer({ log: QUIET_LOG }, { connection });
  const output = openKafka({ openProducer, isTooLarge }, { topic });
  onTestFinished(() => output.close());
  const batch = [message(), message({ message: 'x'.repeat(3_000_000) }), message()];
  const refused = await failure(output.deliver(batch, AbortSignal.timeout(20_000)));
  expect(refused).toMatchObject({ kind: 'permanent', delivered: 1 });
  await output.deliver(batch.slice(2), AbortSignal.timeout(20_000));
  const records = await readTopic(brokers, topic);
  expect(
    records.map(({ key, headers }) => [
      key?.toString(),
      headers['detection-id']?.toString(),
      headers['detection-revision']?.toString(),
    ]),
  ).toEqual([batch[0], batch[2]].map((one) => ['edge-1', one?.detection.id, '1']));

  const away = openKafka(
    {
      openProducer: () => createEventProducer({ log: QUIET_LOG }, { connection: { brokers: ['127.0.0.1:1'] } }),
      isTooLarge,
    },
    { topic },
  );
  expect(await failure(away.deliver([message()], AbortSignal.timeout(300)))).toMatchObject({
    kind: 'temporary',
    message: 'the brokers did not take it in time',
  });
});
