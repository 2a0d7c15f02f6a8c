import { describe, expect, it } from 'vitest';
import { createByteBudget, createSharedBudget } from '#ingest/pipeline/byte-budget.ts';

describe('the byte budget', () => {
  it('reserves an equal share for each lane, so that no lane starves another', () => {
    const budget = createByteBudget(100);
    const [busy, other, third] = [budget.join(), budget.join(), budget.join()];
    busy.add(50);
    expect(busy.isFull()).toBe(true);
    expect([other.isFull(), other.fits(33), third.fits(33)]).toEqual([false, true, true]);
  });

  it('allows a lane up to half of the budget while the others do not need it', () => {
    const budget = createByteBudget(100);
    const [busy, other] = [budget.join(), budget.join(), budget.join(), budget.join()];
    busy.add(49);
    expect([busy.isFull(), busy.fits(1), busy.fits(2)]).toEqual([false, true, false]);
    other.add(70);
    expect(busy.isFull()).toBe(true);
  });

  it('distributes the share of a removed lane to the others', () => {
    const budget = createByteBudget(100);
    const stays = budget.join();
    const leaves = budget.join();
    leaves.add(40);
    stays.add(50);
    leaves.leave();
    expect(stays.isFull()).toBe(false);
    expect(budget.used()).toBe(50);
    leaves.remove(40);
    expect(budget.used()).toBe(50);
  });

  it('is shared by all threads that share its counters', () => {
    const shared = createSharedBudget();
    const [one, other] = [createByteBudget(100, shared), createByteBudget(100, shared)];
    const [busy, idle] = [one.join(), other.join()];
    busy.add(50);
    expect([one.used(), other.used()]).toEqual([50, 50]);
    idle.add(1);
    expect([busy.isFull(), idle.fits(49), idle.fits(50)]).toEqual([true, true, false]);
    busy.leave();
    expect(other.used()).toBe(1);
    idle.add(98);
    expect(idle.isFull()).toBe(false);
  });

  it('accepts one chunk of any size when empty, and resumes only well below the limit', () => {
    const share = createByteBudget(100).join();
    expect(share.fits(1000)).toBe(true);
    share.add(1000);
    expect(share.fits(1)).toBe(false);
    share.remove(915);
    expect([share.isFull(), share.hasRoom()]).toEqual([false, false]);
    share.remove(10);
    expect(share.hasRoom()).toBe(true);
  });
});
