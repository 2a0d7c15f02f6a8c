import { httpTask } from '../interpreter/http-task.ts';
import { get, getText } from '../interpreter/json.ts';
import type { CallProtocol } from './call-protocol.ts';

export const http: CallProtocol = {
  note: '`http`: method, endpoint with `{name}` from the input, headers, query, body, output, redirect.',
  prepare: httpTask,
  check: (given, checker) => checker.endpoint(get(given, 'endpoint'), ['endpoint']),
  detail: (given) => {
    const endpoint = get(given, 'endpoint');
    const uri = typeof endpoint === 'string' ? endpoint : getText(endpoint, 'uri');
    return [getText(given, 'method')?.toUpperCase() ?? 'GET', uri].filter(Boolean).join(' ');
  },
};
