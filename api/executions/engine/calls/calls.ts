import { WORKER_CALL } from '../interpreter/worker-task.ts';
import { a2a } from './a2a.ts';
import { asyncapi } from './asyncapi.ts';
import type { CallProtocol } from './call-protocol.ts';
import { grpc } from './grpc.ts';
import { http } from './http.ts';
import { mcp } from './mcp.ts';
import { openapi } from './openapi.ts';
import { worker } from './worker.ts';

/** All protocols of `call`, by their name in the language. */
export const CALLS: ReadonlyMap<string, CallProtocol> = new Map(
  Object.entries({ http, openapi, asyncapi, grpc, mcp, a2a, [WORKER_CALL]: worker }),
);
