import { describe, expect, it } from 'vitest';
import { createReadScheduler, type HandedOver } from '#ingest/pipeline/read-scheduler.ts';

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
  const handOver = (key: string, more: Partial<HandedOver> = {}) =>
    turns.handedOver(key, { records: 400, bytes: 4_000, behind: true, full: false, ...more });
  return { turns, paused, memory, handOver };
}

describe('partitions that are far behind', () => {
  it('are read one after the other, as much as a batch takes each', () => {
    const { paused, handOver, turns } = openTurns();
    for (const key of ['a', 'b', 'c']) handOver(key);
    expect([...paused]).toEqual(['b', 'c']);
    expect([turns.isRead('a'), turns.isRead('b')]).toEqual([true, false]);
    // The next 400 records would not fit into the batch.
    handOver('a');
    expect([...paused]).toEqual(['c', 'a']);
    handOver('b');
    handOver('b');
    expect([...paused]).toEqual(['a', 'b']);
    turns.end();
  });

  it('end their turn by bytes, too', () => {
    const { paused, handOver, turns } = openTurns();
    handOver('a');
    handOver('b');
    handOver('a', { records: 1, bytes: 990_000 });
    expect([...paused]).toEqual(['a']);
    turns.end();
  });

  it('hold up none that is near its end', () => {
    const { paused, handOver, turns } = openTurns();
    handOver('a');
    handOver('b');
    for (let i = 0; i < 10; i++) handOver('live', { behind: false });
    expect([...paused]).toEqual(['b']);
    turns.end();
  });

  it('are read without a pause where there is only one', () => {
    const { paused, handOver } = openTurns();
    for (let i = 0; i < 10; i++) handOver('a');
    expect([...paused]).toEqual([]);
  });

  it('leave their turn to the next when they have caught up', () => {
    const { paused, handOver, turns } = openTurns();
    handOver('a');
    handOver('b');
    handOver('a', { behind: false });
    expect([...paused]).toEqual([]);
    expect(turns.isRead('a')).toBe(true);
    turns.end();
  });

  it('wait while there is no memory for another batch, and go on when a lane has landed', () => {
    const { paused, memory, handOver, turns } = openTurns();
    handOver('a');
    handOver('b');
    memory.room = false;
    handOver('a');
    expect([...paused]).toEqual(['b', 'a']);
    memory.room = true;
    turns.hasRoom('a');
    expect([...paused]).toEqual(['a']);
    turns.end();
  });

  it('go on when lanes of another thread have freed memory', () => {
    const { turns, paused, memory, handOver } = openTurns();
    memory.room = false;
    handOver('a');
    turns.memoryFreed();
    expect([...paused]).toEqual(['a']);
    memory.room = true;
    turns.memoryFreed();
    expect([...paused]).toEqual([]);
    turns.end();
  });

  it('give the turn to the next whose lane takes something', () => {
    const { paused, handOver, turns } = openTurns();
    handOver('a');
    handOver('b', { full: true });
    handOver('c');
    handOver('a', { full: true });
    expect([...paused]).toEqual(['b', 'a']);
    turns.hasRoom('b');
    expect([...paused]).toEqual(['b', 'a']);
    handOver('c');
    handOver('c');
    expect([...paused]).toEqual(['a', 'c']);
    turns.end();
  });

  it('lose a turn that brings nothing', async () => {
    const { paused, handOver, turns } = openTurns({ patienceMs: 1 });
    handOver('a');
    handOver('b');
    await expect.poll(() => turns.isRead('b')).toBe(true);
    expect([...paused]).toEqual([]);
    handOver('a');
    expect([...paused]).toEqual(['a']);
    turns.end();
  });

  it('are all read again after an assignment', () => {
    const { paused, handOver, turns } = openTurns();
    handOver('a');
    handOver('b');
    handOver('c', { behind: false, full: true });
    turns.restart();
    expect([...paused]).toEqual([]);
    handOver('b');
    handOver('a');
    expect([...paused]).toEqual(['a']);
    turns.end();
  });
});

describe('a partition whose lane is full', () => {
  it('is paused until the lane has room', () => {
    const { paused, handOver, turns } = openTurns();
    handOver('a', { behind: false, full: true });
    expect([...paused]).toEqual(['a']);
    turns.hasRoom('a');
    expect([...paused]).toEqual([]);
  });
});
