import { describe, expect, it } from 'vitest';
import { createByteBudget } from '#ingest/pipeline/byte-budget.ts';

describe('the byte budget', () => {
  it('is shared evenly, so that one lane cannot starve another', () => {
    const budget = createByteBudget(100);
    const busy = budget.join();
    const other = budget.join();
    busy.add(50);
    expect(busy.isFull()).toBe(true);
    expect(other.isFull()).toBe(false);
    expect(other.fits(50)).toBe(true);
  });

  it('gives the room of a lane that left to the others', () => {
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

  it('takes one chunk however large when it holds nothing, and resumes only well below the limit', () => {
    const share = createByteBudget(100).join();
    expect(share.fits(1000)).toBe(true);
    share.add(1000);
    expect(share.fits(1)).toBe(false);
    share.remove(920);
    expect([share.isFull(), share.hasRoom()]).toEqual([false, false]);
    share.remove(10);
    expect(share.hasRoom()).toBe(true);
  });
});
