import { type API_ERRORS, type ApiErrorCode, errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';

const WORDS: Readonly<Record<number, string>> = {
  400: 'The request is malformed or has wrong values; `issues` names each.',
  401: 'Not signed in, or the key is missing or not valid.',
  403: 'Signed in, but this is not permitted, or a quota is used up (code `quota_exceeded`).',
  404: 'There is none.',
  406: 'None of the formats asked for is offered.',
  408: 'The body arrived too slowly, or not within the time a request has.',
  409: 'It is taken, or not in a state that allows this.',
  412: 'It has changed since it was read.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests; `Retry-After` says after how many seconds to come back.',
  431: 'The address and the headers are too long together.',
  500: 'Something went wrong on our side.',
  502: 'The service behind this one failed.',
  503: 'A store is away, or the server is told to stop; `Retry-After` says after how many seconds to come back.',
};

type ErrorStatus = (typeof API_ERRORS)[ApiErrorCode]['status'];

/** One schema a status for all routes: a schema takes kilobytes, and there are about a thousand refusals of routes. */
const described = new Map<ErrorStatus, typeof errorEnvelopeSchema>();

/** The refusals a route may answer with, for its `response` schemas: the envelope, with what each means. */
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
