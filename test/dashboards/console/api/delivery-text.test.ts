import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { germanDelivery } from '#dashboards/console/src/api/delivery-text.de.ts';
import { CONNECTION_PROBLEMS } from '#schemas/connection-problem.ts';

const ROOT = new URL('../../../../', import.meta.url);

/** Returns the messages that the sources pass to the constructor `name`. Each placeholder is replaced with a number. */
function failuresIn(folder: string, name: string): string[] {
  const call = new RegExp(String.raw`new ${name}\(\s*[^,]+,\s*(?:'([^']+)'|\`([^\`]+)\`)`, 'g');
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(new URL(`${folder}/${file}`, ROOT), 'utf8').matchAll(call)])
    .map(([, plain, template]) => plain ?? template?.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7') ?? '');
}

test('every delivery error of the product has a German text', () => {
  const texts = [
    ...failuresIn('api/outputs', 'OutputFailure'),
    ...failuresIn('api/outbound', 'OutboundFailure'),
    'the receiver closed the connection before it had read everything',
    'writing to the receiver failed: ECONNREFUSED',
  ];
  expect(texts.length).toBeGreaterThan(30);
  // Not translated: the text after the name of Slack is an error message of Slack.
  expect(texts.filter((text) => germanDelivery(text) === undefined)).toEqual(['Slack: 7']);
});

test('every connection error has a German text', () => {
  for (const [code, problem] of Object.entries(CONNECTION_PROBLEMS)) {
    const german = germanDelivery(`cannot connect to the server: ${problem} (${code})`);
    expect(german).toMatch(new RegExp(`^keine Verbindung zum Server: .* \\(${code}\\)$`));
    expect(german).not.toContain(problem);
  }
});

test('translates the hint about OUTBOUND_ALLOW, and keeps the text of a receiver', () => {
  expect(germanDelivery('the address is not public (loopback). Allow it with OUTBOUND_ALLOW on the server')).toBe(
    'die Adresse ist nicht öffentlich (loopback). Erlauben Sie sie mit OUTBOUND_ALLOW auf dem Server',
  );
  expect(germanDelivery('HTTP 500: out of memory')).toBeUndefined();
});
