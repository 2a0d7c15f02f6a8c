import { secret, url } from '../values.ts';

/** The server that commands connect to. */
export const clientSettings = {
  TRAPLINE_URL: url('http', 'https')
    .optional()
    .describe('server that commands use; not set: the server of the data directory'),
  TRAPLINE_API_KEY: secret()
    .optional()
    .describe('key for TRAPLINE_URL; not set: the operator key of the data directory'),
};
