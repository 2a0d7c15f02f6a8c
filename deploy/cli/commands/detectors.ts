import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type NewDetectorTokenBody, newDetectorTokenSchema } from '#schemas/api/detectors.ts';
import { plainMessage } from '#schemas/plain-message.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { makeDataDirectory } from '../../data-directory.ts';
import { addEnrollCommand } from '../../detector/enroll-command.ts';
import { ownCommand } from '../../own-command.ts';
import { shellWord } from '../../shell-word.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

interface TokenOptions {
  readonly hostname?: string;
  readonly minutes?: string;
}

export function registerDetectors(program: Command, context: CommandContext): void {
  const group = program
    .command('detectors')
    .description('enrol hosts that run the detector, list and revoke them; prints JSON');
  const print = (text: string) => context.write(`${text}\n`);

  group
    .command('token')
    .description('create a one-time token that enrols a host; it is printed once and cannot be shown again')
    .option('--hostname <name>', 'only this host can use the token; required for a host that is already enrolled')
    .option('--minutes <number>', 'validity of the token in minutes, at most a week (default: 60)')
    .action(async (options: TokenOptions) => {
      const body = JSON.stringify(wantedToken(options));
      const headers = { 'content-type': 'application/json' };
      const server = await context.server();
      await print(await (await server.request('/api/admin/detector-tokens', { method: 'POST', headers, body })).text());
    });

  group
    .command('list')
    .description('list enrolled hosts with the last report of their detectors, silent ones first')
    .action(async () => print(await (await (await context.server()).request('/api/detectors')).text()));

  group
    .command('revoke')
    .description('revoke the key of a host and remove the host from the list')
    .argument('<hostname>', 'as `list` shows it')
    .action(async (hostname: string) => {
      const path = `/api/admin/detectors/${encodeURIComponent(hostname)}`;
      await (await context.server()).request(path, { method: 'DELETE' });
      await print(JSON.stringify({ hostname, revoked: true }));
    });

  addEnrollCommand(group, {
    version: PRODUCT_VERSION,
    keyFile: {
      async path() {
        const { dataDir } = await context.config();
        await makeDataDirectory(dataDir);
        return resolve(dataDir, 'detector.key');
      },
      description: 'detector.key in the data directory',
    },
    enrolled({ hostname, keyFile, url }) {
      context.note(`${hostname} is enrolled; its key is in ${keyFile}. To start the detector:`);
      const settings = `TRAPLINE_API_KEY_FILE=${shellWord(keyFile)}`;
      context.note(`${settings} ${ownCommand()} detect --from /dev/kmsg --to ${url.origin}`);
    },
  });
}

function wantedToken({ hostname, minutes }: TokenOptions): NewDetectorTokenBody {
  const given = {
    ...(hostname === undefined ? {} : { hostname }),
    ...(minutes === undefined ? {} : { expiresInMinutes: Number(minutes) }),
  };
  const wanted = newDetectorTokenSchema.safeParse(given, { error: plainMessage });
  if (wanted.success) return wanted.data;
  const options: Readonly<Record<string, string>> = { hostname: '--hostname', expiresInMinutes: '--minutes' };
  throw usageError(
    wanted.error.issues.map(({ path, message }) => `${options[String(path[0])] ?? ''}: ${message}`).join('\n'),
  );
}
