import { expect, test } from 'vitest';

test('returns an early answer once, to the call of its address, unless it failed or is old', async () => {
  const answer = Promise.resolve(new Response('{}', { status: 200 }));
  const failed = Promise.reject(new TypeError('network'));
  failed.catch(() => {});
  const early = new Map([
    ['/api/user/data', { answer, askedAt: performance.now() }],
    ['/api/detections?limit=100', { answer, askedAt: performance.now() - 10_000 }],
    ['/api/rules', { answer, askedAt: performance.now() - 61_000 }],
    ['/api/hosts', { answer: failed, askedAt: performance.now() }],
  ]);
  Object.assign(globalThis, { traplineEarly: early });
  try {
    const { earlyAnswer, isAskedEarly, isOutdated } = await import('#dashboards/console/src/api/early-answers.ts');
    expect(isAskedEarly('/api/user/data')).toBe(true);
    expect(await earlyAnswer('/api/user/data')).toBe(await answer);
    expect(isAskedEarly('/api/user/data')).toBe(false);
    expect(await earlyAnswer('/api/user/data')).toBeUndefined();
    expect(await earlyAnswer('/api/events')).toBeUndefined();
    expect(await earlyAnswer('/api/hosts')).toBeUndefined();
    expect(isOutdated('/api/user/data')).toBe(false);
    expect(await earlyAnswer('/api/rules')).toBeUndefined();
    // The early response lacks changes made since then: the list loads its rows again once its stream is open.
    await earlyAnswer('/api/detections?limit=100');
    expect(isOutdated('/api/detections?limit=100')).toBe(true);
    expect(isOutdated('/api/detections?limit=100')).toBe(false);
  } finally {
    Reflect.deleteProperty(globalThis, 'traplineEarly');
  }
});
