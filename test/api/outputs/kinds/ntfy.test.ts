import { expect, test } from 'vitest';
import { outputKind } from '#api/outputs/kind-registry.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { failure, outboundFetch, soon } from '../deliveries.ts';
import { message } from '../fixture.ts';
import { httpReceiver } from '../receivers.ts';

const open = (url: string) =>
  outputKind('ntfy').open({ reach: outboundFetch(), outputId: 'out_1', settings: { url }, secrets: { token: 'tk_1' } });

test('a notification has the text of the detection and the access token', async () => {
  const receiver = await httpReceiver();
  await open(receiver.url).deliver([message()], soon());
  expect(receiver.taken).toMatchObject([
    { headers: { authorization: 'Bearer tk_1' }, body: expect.stringContaining('New detection') },
  ]);
});

test('a refusal is a permanent failure, an unavailable server a temporary one', async () => {
  const receiver = await httpReceiver(() => ({ status: 400, body: 'no', headers: {} }));
  expect(await failure(open(receiver.url).deliver([message()], soon()))).toMatchObject({ kind: 'permanent' });
  const unavailable = open(`http://127.0.0.1:${await freePort()}/`);
  expect(await failure(unavailable.deliver([message()], soon()))).toMatchObject({ kind: 'temporary' });
});
