import { expect, test } from 'vitest';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { FLEET_IS_PROBED, fleetRecord } from './fleet-events.ts';

test('the fleet sends valid events of the given size, and its probes are detected', () => {
  const validate = createValidateStep({ signalDialect: 'v1' });
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  let bytes = 0;
  for (let index = 0; index < FLEET_IS_PROBED; index += 1) {
    const { value } = fleetRecord(index);
    bytes += value.length;
    const decoded = decodeRecord(value, { maxBytes: 2 ** 20 });
    const accepted = decoded.ok ? validate(decoded.payload) : decoded;
    if (!accepted.ok) expect.fail(accepted.message);
    tracker.feed(accepted);
  }
  expect(Math.abs(bytes / FLEET_IS_PROBED - 530)).toBeLessThan(5);
  const probed = tracker.drain().changed.filter(({ rule }) => rule.id === 'instruction-pointer-probe');
  expect(new Set(probed.map(({ procname }) => procname))).toEqual(new Set(['service-3']));
  expect(new Set(probed.map(({ hostname }) => hostname)).size).toBe(14);
});

test('addresses above 2^53 are valid', () => {
  const validate = createValidateStep({ signalDialect: 'v1' });
  for (let index = 0; index < 1_000; index += 1) {
    const decoded = decodeRecord(fleetRecord(index, true).value, { maxBytes: 2 ** 20 });
    expect(decoded.ok && validate(decoded.payload).ok, String(index)).toBe(true);
  }
});
