import { describe, expect, it } from 'vitest';
import { createReadScheduler, type Delivered } from '#ingest/pipeline/read-scheduler.ts';

/** Time slices of 1,000 records, with a memory budget that the test controls. */
function openTurns(options: { patienceMs?: number } = {}) {
  const paused = new Set<string>();
  const memory = { room: true };
  const turns = createReadScheduler({
    limits: { records: 1_000, bytes: 1_000_000 },
    hasRoomForBatch: () => memory.room,
    pause: (key) => void paused.add(key),
    resume: (key) => void paused.delete(key),
    ...options,
  });
  const deliver = (key: string, more: Partial<Delivered> = {}) =>
    turns.delivered(key, { records: 400, bytes: 4_000, behind: true, full: false, ...more });
  return { turns, paused, memory, deliver };
}

describe('partitions that are far behind', () => {
  it('are read in turn, one batch of records at a time', () => {
    const { paused, deliver, turns } = openTurns();
    for (const key of ['a', 'b', 'c']) deliver(key);
    expect([...paused]).toEqual(['b', 'c']);
    expect([turns.isRead('a'), turns.isRead('b')]).toEqual([true, false]);
    // The next 400 records would not fit into the batch.
    deliver('a');
    expect([...paused]).toEqual(['c', 'a']);
    deliver('b');
    deliver('b');
    expect([...paused]).toEqual(['a', 'b']);
    turns.end();
  });

  it('end their turn after a number of bytes, too', () => {
    const { paused, deliver, turns } = openTurns();
    deliver('a');
    deliver('b');
    deliver('a', { records: 1, bytes: 990_000 });
    expect([...paused]).toEqual(['a']);
    turns.end();
  });

  it('do not delay partitions that are near their end', () => {
    const { paused, deliver, turns } = openTurns();
    deliver('a');
    deliver('b');
    for (let i = 0; i < 10; i++) deliver('live', { behind: false });
    expect([...paused]).toEqual(['b']);
    turns.end();
  });

  it('are read without pauses if there is only one', () => {
    const { paused, deliver } = openTurns();
    for (let i = 0; i < 10; i++) deliver('a');
    expect([...paused]).toEqual([]);
  });

  it('pass the turn on when they have caught up', () => {
    const { paused, deliver, turns } = openTurns();
    deliver('a');
    deliver('b');
    deliver('a', { behind: false });
    expect([...paused]).toEqual([]);
    expect(turns.isRead('a')).toBe(true);
    turns.end();
  });

  it('wait while there is no memory for another batch, and continue when a lane has inserted one', () => {
    const { paused, memory, deliver, turns } = openTurns();
    deliver('a');
    deliver('b');
    memory.room = false;
    deliver('a');
    expect([...paused]).toEqual(['b', 'a']);
    memory.room = true;
    turns.hasRoom('a');
    expect([...paused]).toEqual(['a']);
    turns.end();
  });

  it('continue when lanes of another thread have freed memory', () => {
    const { turns, paused, memory, deliver } = openTurns();
    memory.room = false;
    deliver('a');
    turns.memoryFreed();
    expect([...paused]).toEqual(['a']);
    memory.room = true;
    turns.memoryFreed();
    expect([...paused]).toEqual([]);
    turns.end();
  });

  it('pass the turn to the next partition whose lane accepts records', () => {
    const { paused, deliver, turns } = openTurns();
    deliver('a');
    deliver('b', { full: true });
    deliver('c');
    deliver('a', { full: true });
    expect([...paused]).toEqual(['b', 'a']);
    turns.hasRoom('b');
    expect([...paused]).toEqual(['b', 'a']);
    deliver('c');
    deliver('c');
    expect([...paused]).toEqual(['a', 'c']);
    turns.end();
  });

  it('lose the turn if the read returns no records', async () => {
    const { paused, deliver, turns } = openTurns({ patienceMs: 1 });
    deliver('a');
    deliver('b');
    await expect.poll(() => turns.isRead('b')).toBe(true);
    expect([...paused]).toEqual([]);
    deliver('a');
    expect([...paused]).toEqual(['a']);
    turns.end();
  });

  it('are all read again after a new assignment', () => {
    const { paused, deliver, turns } = openTurns();
    deliver('a');
    deliver('b');
    deliver('c', { behind: false, full: true });
    turns.restart();
    expect([...paused]).toEqual([]);
    deliver('b');
    deliver('a');
    expect([...paused]).toEqual(['a']);
    turns.end();
  });
});

describe('a partition whose lane is full', () => {
  it('is paused until the lane has room', () => {
    const { paused, deliver, turns } = openTurns();
    deliver('a', { behind: false, full: true });
    expect([...paused]).toEqual(['a']);
    turns.hasRoom('a');
    expect([...paused]).toEqual([]);
  });
});
