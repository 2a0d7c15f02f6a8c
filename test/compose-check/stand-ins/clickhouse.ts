import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';

/**
 * Runs the embedded engine as a separate server: its socket is reachable at the ClickHouse port. Runs in the stand-in
 * image only.
 */
const engine = await startClickHouseEngine({
  dataDir: '/var/lib/clickhouse/engine',
  password: process.env.CLICKHOUSE_PASSWORD ?? readFileSync(process.env.CLICKHOUSE_PASSWORD_FILE ?? '', 'utf8'),
  isolation: 'off',
  // The account of the official image has all privileges. The tests use the following ones.
  morePrivileges: [
    'DROP DATABASE, TRUNCATE, OPTIMIZE, SYSTEM MERGES, BACKUP, CHECK ON *.*',
    'READ, WRITE ON S3',
    'TABLE ENGINE ON Backup',
  ],
});
const server = createServer({ noDelay: true }, (client) => {
  client.on('error', () => {});
  client.once('data', (first) => {
    // clickhouse-local does not serve this path.
    if (first.toString('latin1').startsWith('GET /ping ')) {
      client.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nOk.\n');
      return;
    }
    const upstream = connect(engine.socketPath);
    upstream.on('error', () => client.destroy()).write(first);
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
}).listen(8123, '0.0.0.0');
process.once('SIGTERM', async () => {
  server.close();
  await engine.stop();
  process.exit(0);
});
