import type { Answer } from '../../api/client.ts';

/** A key in a list, without its secret. */
export type ApiKey = Answer<'get', '/api/user/api-keys'>['data'][number];
