import { expect, it } from 'vitest';
import { createHostCheck } from '#ingest/http/host-check.ts';
import type { Submission } from '#ingest/http/submission.ts';
import type { ChunkOutcome } from '#ingest/pipeline/record.ts';
import { MAX_LISTED_REJECTIONS } from '#schemas/rejection-codes.ts';

function checked() {
  const taken: Submission[] = [];
  const submit = createHostCheck(async (submission) => {
    taken.push(submission);
    const malformed = submission.items.filter(({ text }) => text.toString().includes('malformed'));
    const rejected = malformed.map(({ index }) => ({ index, code: 'malformed_json', path: '$', message: 'not JSON' }));
    return { accepted: submission.items.length - rejected.length, rejected, rejectedTotal: rejected.length };
  });
  const send = (texts: readonly (string | Buffer)[], hostname?: string) =>
    submit({ items: texts.map((text, index) => ({ index, text: Buffer.from(text) })), hostname, idempotencyKey: 'k' });
  return { send, taken: () => taken.flatMap(({ items }) => items.map(({ text }) => text.toString())) };
}

const of = (hostname: unknown) => JSON.stringify({ version: 'V1', hostname });

it('accepts all events of a submission without a host', async () => {
  const { send, taken } = checked();
  expect(await send([of('a'), of('b')])).toMatchObject({ accepted: 2, rejectedTotal: 0 });
  expect(taken()).toHaveLength(2);
});

it('rejects events of other hosts and accepts the rest', async () => {
  const { send, taken } = checked();
  const answer = await send([of('b'), of('a'), '{malformed', of('A'), of('a')], 'a');
  expect(answer).toEqual({
    accepted: 2,
    rejected: [
      { index: 0, code: 'other_host', path: '$.hostname', message: 'the key belongs to another host: a is expected' },
      { index: 2, code: 'malformed_json', path: '$', message: 'not JSON' },
      { index: 3, code: 'other_host', path: '$.hostname', message: 'the key belongs to another host: a is expected' },
    ],
    rejectedTotal: 3,
  });
  expect(taken()).toEqual([of('a'), '{malformed', of('a')]);
});

it.each([
  ['no host', '{"version":"V1"}'],
  ['null', of(null)],
  ['a name that is no string', of(['a'])],
  ['a second name, which is the one that counts', '{"hostname":"a","hostname":"b"}'],
  ['an escaped name', '{"hostname":"\\u0062"}'],
  ['a byte order mark before it', `\ufeff${of('b')}`],
  ['a frame of the schema registry around it', Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), Buffer.from(of('b'))])],
])('refuses an event with %s', async (_, text) => {
  const { send, taken } = checked();
  expect(await send([text], 'a')).toMatchObject({ accepted: 0, rejectedTotal: 1, rejected: [{ code: 'other_host' }] });
  expect(taken()).toEqual([]);
});

it('limits the list of rejections like other lists, and counts all', async () => {
  const { send } = checked();
  const answer = await send(
    Array.from({ length: MAX_LISTED_REJECTIONS + 5 }, () => of('b')),
    'a',
  );
  expect(answer).toMatchObject({ accepted: 0, rejectedTotal: MAX_LISTED_REJECTIONS + 5 });
  expect((answer as ChunkOutcome).rejected).toHaveLength(MAX_LISTED_REJECTIONS);
});
