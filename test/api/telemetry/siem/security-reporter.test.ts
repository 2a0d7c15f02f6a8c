import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import type { SecurityIncident } from '#api/telemetry/siem/port.ts';
import { createSecurityReporter } from '#api/telemetry/siem/security-reporter.ts';
import { waitFor } from '#test/support/wait-for.ts';

const origin = { ip: '203.0.113.9', userAgent: 'curl/8', requestId: 'request-1' };

function open(quietMs?: number) {
  const registry = new Registry();
  const told: SecurityIncident[] = [];
  const reporter = createSecurityReporter(
    { registry, onIncident: (incident) => told.push(incident) },
    quietMs === undefined ? {} : { quietMs },
  );
  onTestFinished(() => reporter.close());
  return { registry, told, reporter };
}

test('signs are counted each, incidents once, and the end of one is told by itself', async () => {
  const { registry, told, reporter } = open(50);
  for (let i = 0; i < 500; i++) reporter.report({ kind: 'limit-breach', origin });
  await waitFor('the end', () => told.length === 2);
  expect(told.map(({ id, count }) => [id, count])).toEqual([
    [told[0]?.id, 1],
    [told[0]?.id, 500],
  ]);
  const metrics = await registry.metrics();
  expect(metrics).toContain('trapline_security_signs_total{kind="limit-breach"} 500');
  expect(metrics).toContain('trapline_security_events_total{kind="limit-breach"} 1');
});

test('what is open when the process ends is told', () => {
  const { told, reporter } = open();
  for (let i = 0; i < 7; i++) reporter.report({ kind: 'request-forgery', origin });
  reporter.close();
  expect(told.map(({ count }) => count)).toEqual([1, 7]);
});
