import { expect, test } from 'vitest';
import { openChat } from '#api/outputs/kinds/chat.ts';
import { testMessage } from '#api/outputs/test-message.ts';
import { outboundFetch, soon } from '../deliveries.ts';
import { message } from '../fixture.ts';
import { httpReceiver } from '../receivers.ts';

test('values of an attacker become neither links nor notifications in a chat', async () => {
  const receiver = await httpReceiver();
  const one = message({
    message: '<!channel> <https://evil.example|here>\u0007',
    procname: '@channel [here](https://evil.example)',
  });
  await openChat(outboundFetch(), { style: 'slack' }, { url: receiver.url }).deliver([one], soon());
  await openChat(outboundFetch(), { style: 'text' }, { url: receiver.url }).deliver(
    [testMessage('chat', new Date())],
    soon(),
  );
  const [slack, text] = receiver.taken;
  const said = (JSON.parse(slack?.body ?? '') as { text: string }).text;
  expect(said).toContain('[HIGH] New detection: Instruction pointer probe');
  expect(said).toContain('&lt;!channel&gt;');
  expect(said).toContain('@\u2060channel [here]\u2060(https://evil.example)');
  expect(said).not.toMatch(/<|\p{Cc}(?<!\n)/u);
  expect(text?.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text?.body).toMatch(/^\[INFO\] Test message, not an attack/);
});
