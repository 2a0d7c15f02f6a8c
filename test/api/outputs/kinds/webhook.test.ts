import { expect, test } from 'vitest';
import { openWebhook } from '#api/outputs/kinds/webhook.ts';
import { checkSignature } from '#api/workflows/triggers/webhook-signature.ts';
import { outboundFetch, soon } from '../deliveries.ts';
import { message } from '../fixture.ts';
import { httpReceiver, type Received } from '../receivers.ts';

test('a webhook is signed over timestamp and body, and identifies the delivery', async () => {
  const receiver = await httpReceiver();
  const signingKey = 'a key of the tests, long enough';
  const output = openWebhook(outboundFetch(), { url: receiver.url }, { signingKey, authorization: 'Bearer abc' });
  const one = message();
  expect(await output.deliver([one], soon())).toEqual({ answer: 'HTTP 200: ok' });
  const { headers, body } = receiver.taken[0] as Received;
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
