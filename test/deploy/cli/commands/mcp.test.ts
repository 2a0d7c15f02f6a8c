import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { MAIN } from '#test/support/trapline-process.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the server with exit code 0', async (signal) => {
  const child = spawn(process.execPath, [MAIN, 'mcp'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TRAPLINE_URL: 'http://127.0.0.1:9', TRAPLINE_API_KEY: 'id.secret' },
  });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await once(child.stdout, 'data');
  child.kill(signal);
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
