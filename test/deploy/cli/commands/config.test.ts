import { expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

const environment = {
  KAFKA_BROKERS: 'a:9092,b:9092',
  KAFKA_SASL_MECHANISM: 'plain',
  KAFKA_USERNAME: 'u',
  KAFKA_PASSWORD: 'hush',
  CLICKHOUSE_URL: 'http://me:hush@host:8123',
};

test('prints every setting with its value and origin, secrets hidden', async () => {
  const { code, stdout } = await runCommand(['config', '--output', 'json'], { environment });
  expect(code).toBe(0);
  expect(stdout).not.toContain('hush');
  const rows = JSON.parse(stdout) as { name: string }[];
  const row = (name: string) => rows.find((one) => one.name === name);
  expect(row('KAFKA_BROKERS')).toEqual({ name: 'KAFKA_BROKERS', value: ['a:9092', 'b:9092'], origin: 'environment' });
  expect(row('KAFKA_PASSWORD')).toEqual({ name: 'KAFKA_PASSWORD', value: '***', origin: 'environment' });
  expect(row('CLICKHOUSE_URL')).toMatchObject({ value: 'http://***@host:8123' });
  expect(row('PORT')).toEqual({ name: 'PORT', value: 8080, origin: 'default' });
  expect(row('TRAPLINE_API_KEY')).toEqual({ name: 'TRAPLINE_API_KEY', value: null, origin: 'not set' });
});

test('hides credentials in each of several URLs', async () => {
  const urls = { CLICKHOUSE_URL: 'http://me:hush@a:8123,http://me:hush@b:8123', CLICKHOUSE_CLUSTER: 'main' };
  const { stdout } = await runCommand(['config'], { environment: urls });
  expect(stdout).toContain('http://***@a:8123,http://***@b:8123');
});

test('prints a table', async () => {
  const { stdout } = await runCommand(['config'], { environment });
  expect(stdout).toMatch(/^KAFKA_PASSWORD +\*\*\* +environment$/m);
  expect(stdout).toMatch(/^PORT +8080 +default$/m);
});

test('the help lists every setting', async () => {
  const { stdout } = await runCommand(['config', '--help']);
  expect(stdout).toContain('TRAPLINE_SESSION_TIMEOUT_MS');
  expect(stdout).toContain('time without a heartbeat');
});
