import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const LOG_ONCE = `import { createLogger } from '#deploy/processes/logging.ts';
(await createLogger({ logLevel: 'info', logFormat: process.argv[1] })).info('started');`;

test.each([
  ['auto', /^\{"level":30,.*"msg":"started"\}\n$/],
  ['json', /^\{"level":30,.*"msg":"started"\}\n$/],
  ['text', /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: started\n$/],
  ['pretty', /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: started\n$/],
])('logs in the format %s if standard error is not a terminal', (format, line) => {
  const args = ['--input-type=module', '--eval', LOG_ONCE, format];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stderr).toMatch(line);
});
