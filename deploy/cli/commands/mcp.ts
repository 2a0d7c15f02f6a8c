import type { Command } from 'commander';
import { readAnswer, targetOf } from '#api/mcp/read-answer.ts';
import { serveStdio } from '#api/mcp/serve-stdio.ts';
import { ApiCallFailure, type CallApi } from '#api/mcp/tool.ts';
import { usePlainMessages } from '#schemas/plain-message.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { onStopSignal } from '../../processes/stop-signals.ts';
import { CommandError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import type { ServerConnection } from '../server-connection.ts';

export function registerMcp(program: Command, context: CommandContext): void {
  program
    .command('mcp')
    .description('serve the tools of the Model Context Protocol on standard input and output, for assistants')
    .action(async () => {
      // Invalid arguments are reported with the same messages as over HTTP.
      usePlainMessages();
      const call = callOver(await context.server());
      const offSignals = onStopSignal(() => context.stdin.destroy());
      await serveStdio(context, call, (error) => context.note(`Model Context Protocol: ${error.message}`));
      offSignals();
    });
}

/** Returns a function that sends requests to the server with the configured key. */
function callOver(server: ServerConnection): CallApi {
  return async ({ method, path, query, body, headers }, signal) => {
    const response = await server
      .fetch(targetOf(path, query), {
        method,
        headers: {
          'user-agent': `trapline-mcp/${PRODUCT_VERSION}`,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      })
      .catch((cause: unknown) => {
        throw new ApiCallFailure(cause instanceof CommandError ? cause.message : 'the call was cancelled', { cause });
      });
    return readAnswer(response.status, response.body ?? emptyBody());
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
