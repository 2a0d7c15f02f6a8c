import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { planGroup, whileMembersLeave } from '#deploy/backup/consumer-group.ts';
import { KafkaFailure } from '#ingest/kafka/failure.ts';

const { KafkaJSNonRetriableError, KafkaJSProtocolError } = kafkajs;
const partition = (low: number, high: number, committed?: number) => ({ partition: 0, low, high, committed });

describe('the position at which ingest continues after a restore', () => {
  it('is after the last stored event, before later commits', () => {
    expect(planGroup([partition(0, 500, 400)], new Map([[0, 99]]))).toEqual({
      offsets: new Map([[0, 100]]),
      problems: [],
    });
  });

  it('is the beginning of a partition without stored events', () => {
    expect(planGroup([partition(20, 500, 400)], new Map())).toEqual({ offsets: new Map([[0, 20]]), problems: [] });
  });

  it('reports events that the retention of the topic has deleted', () => {
    const { offsets, problems } = planGroup([partition(200, 500, 400)], new Map([[0, 99]]));
    expect(offsets.get(0)).toBe(200);
    expect(problems).toEqual(['partition 0 lost the events from offset 100 to 199 to the retention of the topic']);
  });

  it('reports a topic that was created again', () => {
    const { offsets, problems } = planGroup([partition(0, 7)], new Map([[0, 99]]));
    expect(offsets.get(0)).toBe(7);
    expect(problems).toEqual([expect.stringContaining('created again')]);
  });
});

describe('moving a consumer group', () => {
  const setOffsets = 'set the offsets of a group';
  const hasMembers = () =>
    new KafkaFailure(
      setOffsets,
      new KafkaJSNonRetriableError('The consumer group must have no running instances, current state: Stable'),
    );

  it('waits for members to leave', async () => {
    const failures = [hasMembers(), hasMembers()];
    await whileMembersLeave(async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    }, 0);
    expect(failures).toEqual([]);
  });

  it.each([
    new KafkaFailure(setOffsets, protocolError('GROUP_AUTHORIZATION_FAILED')),
    new KafkaFailure(setOffsets, new TypeError('a fault of the program')),
  ])('fails immediately if waiting cannot help: $code', async (failure) => {
    let calls = 0;
    const moved = whileMembersLeave(async () => {
      calls++;
      throw failure;
    }, 0);
    await expect(moved).rejects.toBe(failure);
    expect(calls).toBe(1);
  });
});

function protocolError(type: string): InstanceType<typeof KafkaJSProtocolError> {
  return new KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 30, retriable: false }));
}
