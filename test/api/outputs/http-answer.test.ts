import { expect, test } from 'vitest';
import { openWebhook } from '#api/outputs/kinds/webhook.ts';
import { failure, outboundFetch, soon } from './deliveries.ts';
import { message } from './fixture.ts';
import { httpReceiver } from './receivers.ts';

test('an HTTP status delivers the message, rejects it, or makes all messages wait', async () => {
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
