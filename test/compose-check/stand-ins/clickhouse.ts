import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';

/** The embedded engine as a server of its own: its socket is reached at the port of ClickHouse. Runs in the stand-in image only. */
const engine = await startClickHouseEngine({
  dataDir: '/var/lib/clickhouse/engine',
  password: readFileSync(process.env.CLICKHOUSE_PASSWORD_FILE ?? '', 'utf8'),
  isolation: 'off',
});
const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect(engine.socketPath);
  client.pipe(upstream).pipe(client);
  client.on('error', () => {}).on('close', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
}).listen(8123, '0.0.0.0');
process.once('SIGTERM', async () => {
  server.close();
  await engine.stop();
  process.exit(0);
});
