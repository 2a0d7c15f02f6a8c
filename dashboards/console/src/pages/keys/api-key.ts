import type { Answer } from '../../api/client.ts';

/** A key as lists tell it: never its secret. */
export type ApiKey = Answer<'get', '/api/user/api-keys'>['data'][number];
