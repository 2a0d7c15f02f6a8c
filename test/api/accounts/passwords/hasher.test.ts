import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import bcrypt from 'bcrypt';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { decoyHash } from '#api/accounts/passwords/decoy-hash.ts';
import { createHasher, HasherBusy } from '#api/accounts/passwords/hasher.ts';
import { preHash } from '#api/accounts/passwords/pre-hash.ts';

const quick = createHasher({ threads: 2, maxQueued: 100, cost: 4 });
afterAll(() => quick.close());

test('a hash is bcrypt of cost 10 by default, and only its secret matches', async () => {
  const hasher = createHasher({ threads: 1 });
  const hash = await hasher.hash('correct horse battery');
  expect(hash).toMatch(/^\$2b\$10\$/);
  expect(await hasher.verify('correct horse battery', hash)).toBe(true);
  expect(await hasher.verify('correct horse batterz', hash)).toBe(false);
  await hasher.close();
});

test('bytes beyond the 72 of bcrypt count, and so do those after a zero byte', async () => {
  const long = 'x'.repeat(100);
  const hash = await quick.hash(`${long}a`);
  expect(await quick.verify(`${long}b`, hash)).toBe(false);
  const zero = await quick.hash('before\0after');
  expect(await quick.verify('before\0other', zero)).toBe(false);
});

test('bcrypt receives 44 characters, whatever the secret', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      (bytes) => preHash(Buffer.from(bytes).toString('utf16le')).length === 44,
    ),
  );
});

test('the digest is not a plain SHA-256, so leaked digests of other services are useless', async () => {
  const plain = await crypto.subtle.digest('SHA-256', Buffer.from('correct horse battery'));
  expect(preHash('correct horse battery')).not.toBe(Buffer.from(plain).toString('base64'));
});

test('text that is not a hash matches nothing', async () => {
  expect(await quick.verify('anything', 'not a hash')).toBe(false);
  expect(await quick.verify('anything', '')).toBe(false);
});

test('comparing with a decoy costs as much as with a hash and never matches', async () => {
  expect(quick.decoy).toMatch(/^\$2b\$04\$[./A-Za-z0-9]{53}$/);
  expect(bcrypt.getRounds(quick.decoy)).toBe(4);
  expect(await quick.verify('', quick.decoy)).toBe(false);
  // bcrypt accepts it as a salt and does the full work; the last digit of a salt holds only two bits.
  expect(bcrypt.hashSync('anything', quick.decoy.slice(0, 29)).slice(0, 28)).toBe(quick.decoy.slice(0, 28));
  expect(decoyHash(10)).toMatch(/^\$2b\$10\$/);
  expect(decoyHash(10)).not.toBe(decoyHash(10));
});

test('an idle thread ends, and the next task starts another', async () => {
  const begun: Worker[] = [];
  const count = (worker: Worker) => void begun.push(worker);
  process.on('worker', count);
  const hasher = createHasher({ threads: 1, cost: 4, idleMs: 20 });
  await hasher.hash('first');
  await once(begun[0] as Worker, 'exit');
  expect(await hasher.verify('second', await hasher.hash('second'))).toBe(true);
  expect(hasher.pending()).toBe(0);
  expect(begun.length).toBeGreaterThan(1);
  await hasher.close();
  process.off('worker', count);
});

test('rejects tasks beyond the queue immediately, and completes queued ones', async () => {
  const hasher = createHasher({ threads: 1, maxQueued: 3, cost: 4 });
  const tasks = Array.from({ length: 10 }, () => hasher.hash('secret'));
  const outcomes = await Promise.allSettled(tasks);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(HasherBusy);
  }
  expect(await hasher.hash('again')).toMatch(/^\$2b\$04\$/);
  await hasher.close();
});

test('the event loop stays free while all threads hash', async () => {
  const hasher = createHasher({ threads: 2, maxQueued: 100 });
  await Promise.all([hasher.hash('warm'), hasher.hash('up')]);
  const before = [process.threadCpuUsage(), process.cpuUsage()] as const;
  await Promise.all(Array.from({ length: 12 }, () => hasher.hash('secret')));
  const [own, all] = [process.threadCpuUsage(before[0]), process.cpuUsage(before[1])].map(
    ({ user, system }) => user + system,
  ) as [number, number];
  expect(own).toBeLessThan(all / 4);
  await hasher.close();
});

test('closing completes running tasks, rejects queued ones and accepts no more', async () => {
  const hasher = createHasher({ threads: 1, maxQueued: 10 });
  const tasks = [hasher.hash('one'), hasher.hash('two'), hasher.hash('three')];
  const settled = Promise.allSettled(tasks);
  await hasher.close();
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(hasher.hash('four')).rejects.toThrow('closed');
});

test('a thread never ends in the middle of native code: while it loads, hashes or is idle', async () => {
  const exits: Promise<number>[] = [];
  const note = (worker: Worker) => void exits.push(new Promise((resolve) => worker.once('exit', resolve)));
  process.on('worker', note);
  for (const rests of [false, true]) {
    const hasher = createHasher({ threads: 2 });
    const tasks = Promise.all([hasher.hash('one'), hasher.hash('two')]);
    if (rests) await tasks;
    await hasher.close();
    await tasks;
  }
  const idle = createHasher({ threads: 1, cost: 4, idleMs: 1 });
  await idle.hash('one');
  // A thread that is terminated from outside exits with code 1.
  expect(await Promise.all(exits)).toEqual([0, 0, 0, 0, 0]);
  await idle.close();
  process.off('worker', note);
});

test('hashes are compatible with any bcrypt', async () => {
  const elsewhere = bcrypt.hashSync(preHash('correct horse battery'), 4);
  expect(await quick.verify('correct horse battery', elsewhere)).toBe(true);
});
