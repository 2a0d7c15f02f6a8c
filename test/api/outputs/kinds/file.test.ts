import { appendFile, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFile } from '#api/outputs/kinds/file.ts';
import type { OutputMessage } from '#api/outputs/port.ts';
import { testMessage } from '#api/outputs/test-message.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { failure, soon } from '../deliveries.ts';
import { BY, fresh, message, outputsOf } from '../fixture.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();

async function folderOf() {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-output-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const ecs = { name: 'siem.ndjson', format: 'ecs' } as const;
const linesOf = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n');
const deliveryOf = ({ detection, cause }: OutputMessage) => `${detection.id}:${detection.revision}:${cause}`;
const deliveriesIn = async (file: string) =>
  (await linesOf(file)).map((line) => (JSON.parse(line) as { labels: { delivery_id: string } }).labels.delivery_id);

test('writes one ECS line per message with every digit, and marks tests', async () => {
  const folder = await folderOf();
  const one = message({ message: 'a line\nanother — “quoted” 🦉' });
  const output = openFile({ folder }, ecs);
  expect(await output.deliver([one, message()], soon())).toEqual({ answer: '2 lines written to siem.ndjson' });
  await output.deliver([testMessage('file', new Date())], soon());
  const lines = await linesOf(path.join(folder, ecs.name));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      _type: 'security',
      message: one.detection.message,
      event: { kind: 'alert', id: one.detection.id, created: one.at.toISOString() },
      labels: { cause: 'opened', delivery_id: deliveryOf(one) },
    },
    {},
    { labels: { cause: 'test' } },
  ]);
  expect((await stat(path.join(folder, ecs.name))).mode & 0o777).toBe(0o640);
  const json = openFile({ folder }, { name: 'plain.ndjson', format: 'json' });
  await json.deliver([one], soon());
  expect(await readFile(path.join(folder, 'plain.ndjson'), 'utf8')).toContain('"EventCount":18446744073709551615');
});

test('creates a new file after a rename or removal', async () => {
  const folder = await folderOf();
  const file = path.join(folder, ecs.name);
  const output = openFile({ folder }, ecs);
  const messages = [message(), message(), message()] as const;
  await output.deliver([messages[0]], soon());
  await rename(file, `${file}.1`);
  await output.deliver([messages[1]], soon());
  expect([await deliveriesIn(`${file}.1`), await deliveriesIn(file)]).toEqual([
    [deliveryOf(messages[0])],
    [deliveryOf(messages[1])],
  ]);
  await rm(file);
  await output.deliver([messages[2]], soon());
  expect(await deliveriesIn(file)).toEqual([deliveryOf(messages[2])]);
});

test.each(['ecs', 'json'] as const)(
  '%s: does not write lines of a killed process again, and completes half a line',
  async (format) => {
    const folder = await folderOf();
    const settings = { name: 'siem.ndjson', format };
    const file = path.join(folder, settings.name);
    await writeFile(file, 'another program\n{"id":7}\n');
    const batch = [message(), message(), message()];
    await openFile({ folder }, settings).deliver(batch.slice(0, 2), soon());
    const [, , , second = ''] = await linesOf(file);
    await appendFile(file, second.slice(0, 40));
    await openFile({ folder }, settings).deliver(batch, soon());
    const lines = await linesOf(file);
    expect(lines).toHaveLength(6);
    expect(lines[4]).toBe(second.slice(0, 40));
    const positions = lines.map((line) => batch.findIndex(({ detection: { id } }) => line.includes(`${id}:`)));
    expect(positions.filter((index) => index >= 0)).toEqual([0, 1, 2]);
  },
);

test('delivers both closings of a detection that was reopened within one revision', async () => {
  const folder = await folderOf();
  const closed = message({}, 'closed');
  const again = { ...closed, at: new Date(closed.at.getTime() + 1) };
  for (const one of [closed, again]) await openFile({ folder }, ecs).deliver([one], soon());
  expect(await deliveriesIn(path.join(folder, ecs.name))).toHaveLength(2);
});

test('lines of concurrent writers stay complete', async () => {
  const folder = await folderOf();
  const batches = Array.from({ length: 8 }, () =>
    Array.from({ length: 50 }, () => message({ message: 'x'.repeat(9_000) })),
  );
  await Promise.all(batches.map((batch) => openFile({ folder }, ecs).deliver(batch, soon())));
  const delivered = await deliveriesIn(path.join(folder, ecs.name));
  expect(delivered.toSorted()).toEqual(batches.flat().map(deliveryOf).toSorted());
});

test('a missing folder, a link out of it, another kind of file and a full disk are temporary failures', async () => {
  const folder = await folderOf();
  await symlink('/dev/full', path.join(folder, 'link.ndjson'));
  const outcomes: [string, string][] = [
    [path.join(folder, 'missing'), 'ENOENT'],
    [folder, 'ELOOP'],
  ];
  for (const [where, said] of outcomes)
    expect(
      await failure(openFile({ folder: where }, { ...ecs, name: 'link.ndjson' }).deliver([message()], soon())),
    ).toMatchObject({
      kind: 'temporary',
      delivered: 0,
      message: expect.stringContaining(said),
    });
  expect(
    await failure(openFile({ folder: '/dev' }, { ...ecs, name: 'full' }).deliver([message()], soon())),
  ).toMatchObject({
    kind: 'temporary',
    message: 'full is not a regular file',
  });
  const late = openFile({ folder }, ecs).deliver([message()], AbortSignal.abort());
  expect((await failure(late))?.kind).toBe('temporary');
});

test('writes detections in order, once each; without a folder the output is unavailable', async () => {
  const folder = await folderOf();
  const file = path.join(folder, ecs.name);
  const outputs = outputsOf(clickhouse, database, { files: { folder } });
  const made = await outputs.make({ type: 'file', name: 'siem', settings: { name: ecs.name } });
  expect(await outputs.test(made.id, BY)).toMatchObject({ ok: true, answer: '1 line written to siem.ndjson' });
  const first = outputs.start();
  const detections = Array.from({ length: 60 }, () => fresh());
  await store.landDetections(detections);
  await waitFor('all of them', async () => (await linesOf(file)).length === 61);
  await first.stop();
  const more = [fresh(), { ...(detections[0] ?? fresh()), revision: 3 }];
  outputs.start();
  await store.landDetections(more);
  await waitFor('the rest', async () => (await linesOf(file)).length === 63);
  const journal = await database.selectFrom('outputMessages').selectAll().orderBy('seq').execute();
  const delivered = journal.map(({ detectionId, revision, cause }) => `${detectionId}:${revision}:${cause}`);
  expect((await deliveriesIn(file)).slice(1)).toEqual(delivered);
  await expect(
    outputsOf(clickhouse, database).make({ type: 'file', name: 'x', settings: { name: 'y' } }),
  ).rejects.toMatchObject({
    reason: { code: 'unavailable' },
  });
  for (const name of ['../up', 'a/b', '.hidden', '', 'x'.repeat(128)])
    expect(() => outputs.make({ type: 'file', name: 'x', settings: { name } })).toThrow();
});
