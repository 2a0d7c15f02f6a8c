import { type API_ERRORS, type ApiErrorCode, errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';

const WORDS: Readonly<Record<number, string>> = {
  400: 'The request is malformed or has wrong values; `issues` names each.',
  401: 'Not signed in, or the key is missing or not valid.',
  403: 'Signed in, but this is not permitted, or a quota is used up (code `quota_exceeded`).',
  404: 'The resource does not exist, or you may not see it.',
  406: 'The server offers none of the formats in `Accept` or `format`.',
  408: 'The body arrived too slowly, or not within the time a request has.',
  409: 'The name is taken, or the state of the resource does not allow this.',
  412: 'The resource has changed since it was read.',
  413: 'The body is too large.',
  415: 'The server does not accept this content type or encoding.',
  429: 'Too many requests. Try again after the seconds in `Retry-After`.',
  431: 'The request target and the headers are too long.',
  500: 'An error in the server.',
  502: 'The service behind this one failed.',
  503: 'A store is unavailable, or the server is stopping. Try again after the seconds in `Retry-After`.',
};

type ErrorStatus = (typeof API_ERRORS)[ApiErrorCode]['status'];

/** All routes share one schema per status: a schema takes kilobytes, and the routes have about a thousand refusals. */
const described = new Map<ErrorStatus, typeof errorEnvelopeSchema>();

/** Returns the `response` schemas for the refusals of a route: the envelope, with the meaning of each status. */
export function errorResponses<S extends ErrorStatus>(...statuses: readonly S[]) {
  return Object.fromEntries(statuses.map((status) => [status, refusal(status)])) as Record<
    S,
    typeof errorEnvelopeSchema
  >;
}

function refusal(status: ErrorStatus): typeof errorEnvelopeSchema {
  const schema = described.get(status) ?? errorEnvelopeSchema.describe(WORDS[status] ?? 'Refused.');
  described.set(status, schema);
  return schema;
}
