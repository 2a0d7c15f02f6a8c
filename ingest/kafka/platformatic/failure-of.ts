import { isPermanentCode, KafkaFailure } from '../failure.ts';

/** What an error of the library may carry besides its message. */
interface LibraryError extends Error {
  /** The broker's error name, of a `ProtocolError`. */
  readonly apiId?: unknown;
  /** `PLT_KFK_…` of the library, or the system's. */
  readonly code?: unknown;
  readonly errors?: unknown;
}

/** The library's own codes of failures that pass: connections that are lost, refused or too slow. */
const PASSING = /^PLT_KFK_(NETWORK|TIMEOUT|MULTIPLE)$/;
const PERMANENT = /^PLT_KFK_(AUTHENTICATION|UNSUPPORTED)/;

/** Judges an error of the library as `failure.ts` judges those of the other client: by the broker's name first, then the system's. */
export function failureOf(operation: string, error: unknown): KafkaFailure {
  if (error instanceof KafkaFailure) return error;
  const links = linksOf(error);
  const type = links.map(({ apiId }) => apiId).find((name) => typeof name === 'string');
  if (type !== undefined) {
    const named = Object.assign(new Error(messageOf(error), { cause: error }), { type });
    return new KafkaFailure(operation, named, isPermanentCode(type) ? 'permanent' : 'passing');
  }
  const codes = links.map(({ code }) => code).filter((code) => typeof code === 'string');
  const system = codes.find((code) => !code.startsWith('PLT_KFK_'));
  const code = system ?? codes.at(-1);
  const named = Object.assign(new Error(messageOf(error), { cause: error }), code === undefined ? {} : { code });
  if (codes.some((one) => PERMANENT.test(one)) || (system !== undefined && isPermanentCode(system)))
    return new KafkaFailure(operation, named, 'permanent');
  return new KafkaFailure(operation, named, codes.some((one) => PASSING.test(one)) ? 'passing' : 'unknown');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error, its causes, and the errors that it gathers, outermost first. */
function linksOf(error: unknown, depth = 0): LibraryError[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const link = error as LibraryError;
  const gathered = Array.isArray(link.errors) ? link.errors : [];
  return [link, ...[link.cause, ...gathered].flatMap((inner) => linksOf(inner, depth + 1))];
}
