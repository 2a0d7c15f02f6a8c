import { describe, expect, it, onTestFinished } from 'vitest';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import { matchEvent } from '#api/executions/engine/event-match.ts';
import { createSchemas } from '#api/executions/json-schema/schemas.ts';
import { atEnd } from '#test/support/at-end.ts';
import { useEvaluate } from './play.ts';

const evaluate = useEvaluate();
const schemas = createSchemas();
atEnd(() => schemas.close());
const deps = { evaluate, schemas };
const event: CloudEvent = {
  specversion: '1.0',
  id: '1',
  source: 'https://example.com/a',
  type: 'trapline.detection.opened',
  data: { rule: 'probe', score: 7, host: { name: 'h1' } },
};

describe('matchEvent', () => {
  it.each([
    [{ type: 'trapline.detection.opened' }, true],
    [{ type: 'trapline.detection' }, false],
    [{ type: 'traplineXdetectionXopened' }, false],
    [{ type: 'trapline\\.detection\\.(opened|grown)' }, true],
    [{ source: '.*/b' }, false],
    [{ subject: 'x' }, false],
    [{ subject: '.*' }, false],
    [{ data: { rule: 'probe' } }, true],
    [{ data: { rule: 'probe', host: { name: 'h2' } } }, false],
    [{ data: '${ .score > 5 }' }, true],
    [{ data: '${ .score > 9 }' }, false],
    [{ data: { score: '${ . > 5 }' } }, true],
    [{ data: '${ .score.deep }' }, false],
    [{ type: '(.+)+(.+)+(.+)+!' }, false],
    [{ type: '(' }, false],
    [{}, true],
  ])('%j: %s', async (filter, passes) => {
    const result = await matchEvent({ with: filter, correlate: {} }, event, {}, deps);
    expect(result !== undefined).toBe(passes);
  });

  it.each([
    ['.*a.*a.*a.*a.*a.*a.*b', 'a'.repeat(5_000)],
    ['(a+)+', `${'a'.repeat(50)}!`],
  ])('stops the pattern %s in its thread: the event does not match', async (type, actual) => {
    const beats: number[] = [];
    const heart = setInterval(() => beats.push(performance.now()), 5);
    onTestFinished(() => clearInterval(heart));
    expect(await matchEvent({ with: { type }, correlate: {} }, { ...event, type: actual }, {}, deps)).toBeUndefined();
    // The event loop was not blocked during the match.
    expect(beats.length).toBeGreaterThan(2);
    expect(await matchEvent({ with: { type: 'a+' }, correlate: {} }, { ...event, type: 'aaa' }, {}, deps)).toEqual({});
  });

  it('evaluates correlations over the whole event, and stores those without an expected value', async () => {
    const filter = {
      with: {},
      correlate: { host: { from: '.data.host.name' }, rule: { from: '${ .data.rule }', expect: 'probe' } },
    };
    expect(await matchEvent(filter, event, {}, deps)).toEqual({ host: 'h1' });
    expect(await matchEvent(filter, event, { host: 'h1' }, deps)).toEqual({});
    expect(await matchEvent(filter, event, { host: 'h2' }, deps)).toBeUndefined();
  });
});
