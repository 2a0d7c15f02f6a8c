import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import type { SecurityIncident } from '#api/telemetry/siem/port.ts';
import { createSecurityReporter } from '#api/telemetry/siem/security-reporter.ts';
import { waitFor } from '#test/support/wait-for.ts';

const origin = { ip: '203.0.113.9', userAgent: 'curl/8', requestId: 'request-1' };

function open(quietMs?: number) {
  const registry = new Registry();
  const incidents: SecurityIncident[] = [];
  const reporter = createSecurityReporter(
    { registry, onIncident: (incident) => incidents.push(incident) },
    quietMs === undefined ? {} : { quietMs },
  );
  onTestFinished(() => reporter.close());
  return { registry, incidents, reporter };
}

test('counts each signal and each incident once, and reports the end of an incident without another signal', async () => {
  const { registry, incidents, reporter } = open(50);
  for (let i = 0; i < 500; i++) reporter.report({ kind: 'limit-breach', origin });
  await waitFor('the end', () => incidents.length === 2);
  expect(incidents.map(({ id, count }) => [id, count])).toEqual([
    [incidents[0]?.id, 1],
    [incidents[0]?.id, 500],
  ]);
  const metrics = await registry.metrics();
  expect(metrics).toContain('trapline_security_signs_total{kind="limit-breach"} 500');
  expect(metrics).toContain('trapline_security_events_total{kind="limit-breach"} 1');
});

test('reports open incidents when the process ends', () => {
  const { incidents, reporter } = open();
  for (let i = 0; i < 7; i++) reporter.report({ kind: 'request-forgery', origin });
  reporter.close();
  expect(incidents.map(({ count }) => count)).toEqual([1, 7]);
});
