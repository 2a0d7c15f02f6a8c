import { describe, expect, it } from 'vitest';
import { matchEvent } from '#api/executions/engine/event-match.ts';
import type { CloudEvent } from '#api/executions/engine/port.ts';
import { useEvaluate } from './play.ts';

const evaluate = useEvaluate();
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
    const result = await matchEvent({ with: filter, correlate: {} }, event, {}, evaluate);
    expect(result !== undefined).toBe(passes);
  });

  it('asks correlations of the whole event, and learns what nothing was expected of', async () => {
    const filter = {
      with: {},
      correlate: { host: { from: '.data.host.name' }, rule: { from: '${ .data.rule }', expect: 'probe' } },
    };
    expect(await matchEvent(filter, event, {}, evaluate)).toEqual({ host: 'h1' });
    expect(await matchEvent(filter, event, { host: 'h1' }, evaluate)).toEqual({});
    expect(await matchEvent(filter, event, { host: 'h2' }, evaluate)).toBeUndefined();
  });
});
