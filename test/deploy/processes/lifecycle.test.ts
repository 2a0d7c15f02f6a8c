import { describe, expect, it } from 'vitest';
import { createLifecycle } from '#deploy/processes/lifecycle.ts';

const quiet = { debug: () => {}, error: () => {} };

describe('a lifecycle', () => {
  it('stops in reverse order once, and continues after a failure', async () => {
    const stopped: string[] = [];
    const lifecycle = createLifecycle(quiet);
    for (const name of ['a', 'b', 'c']) {
      await lifecycle.start(name, () => ({
        value: name,
        stop: async () => {
          stopped.push(name);
          if (name === 'b') throw new Error('stuck');
        },
      }));
    }
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(stopped).toEqual(['c', 'b', 'a']);
  });

  it('drains all parts concurrently while each still runs, and skips draining unless requested', async () => {
    const seen: string[] = [];
    const lifecycle = createLifecycle(quiet);
    for (const value of ['a', 'b'])
      await lifecycle.start(value, () => ({
        value,
        drain: async () => void seen.push(`drain ${value}`),
        stop: async () => void seen.push(`stop ${value}`),
      }));
    await lifecycle.drain();
    expect(seen).toEqual(['drain a', 'drain b']);
    await lifecycle.stop();
    expect(seen.slice(2)).toEqual(['stop b', 'stop a']);
  });

  it('stops the parts that accept work first, concurrently', async () => {
    const stopped: string[] = [];
    const lifecycle = createLifecycle(quiet);
    const slow = Promise.withResolvers<void>();
    const part = (name: string, takesWork: boolean, until?: Promise<void>) =>
      lifecycle.start(name, () => ({
        value: name,
        takesWork,
        stop: async () => {
          await until;
          stopped.push(name);
        },
      }));
    await part('store', false);
    await part('http', true, slow.promise);
    await part('sink', false);
    await part('worker', true);
    const over = lifecycle.stop();
    await expect.poll(() => stopped).toEqual(['worker']);
    slow.resolve();
    await over;
    expect(stopped).toEqual(['worker', 'http', 'sink', 'store']);
  });

  it('rolls back a partial start', async () => {
    const stopped: string[] = [];
    const lifecycle = createLifecycle(quiet);
    const stop = async () => void stopped.push('a');
    await lifecycle.start('a', () => ({ value: 1, stop }));
    await expect(lifecycle.start('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(stopped).toEqual(['a']);
  });

  it('stops parts that are still starting if another part fails to start', async () => {
    const stopped: string[] = [];
    const lifecycle = createLifecycle(quiet);
    const slow = Promise.withResolvers<void>();
    const starting = lifecycle.start('slow', async () => {
      await slow.promise;
      return { value: 1, stop: async () => void stopped.push('slow') };
    });
    const refused = expect(lifecycle.start('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const ended = expect(starting).rejects.toThrow('aborted');
    expect(lifecycle.signal.aborted).toBe(false);
    await new Promise<void>((resolve) => lifecycle.signal.addEventListener('abort', () => resolve()));
    slow.resolve();
    await Promise.all([refused, ended]);
    expect(stopped).toEqual(['slow']);
    await expect(lifecycle.start('late', () => ({ value: 1 }))).rejects.toThrow('aborted');
  });
});
