import { parseExact } from '#schemas/json/parse-exact.ts';
import { type ApiAnswer, ApiCallFailure } from './tool.ts';

/** Maximum response of the API that a tool returns. */
export const MAX_ANSWER_BYTES = 2 ** 20;

/** Parses a response of the API. Rejects with `ApiCallFailure` if it is too large, incomplete or not JSON. */
export async function readAnswer(status: number, chunks: AsyncIterable<Uint8Array>): Promise<ApiAnswer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) break; // ends the stream
      parts.push(chunk);
    }
  } catch (cause) {
    throw new ApiCallFailure('the response of the API is incomplete', { cause });
  }
  if (bytes > MAX_ANSWER_BYTES)
    throw new ApiCallFailure(`the response is larger than ${MAX_ANSWER_BYTES} bytes: ask for fewer records`);
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return { status, body: text.trim() === '' ? null : parseExact(text) };
  } catch (cause) {
    throw new ApiCallFailure(`the API answered ${status} without JSON`, { cause });
  }
}

/** Returns the path and query of a request. */
export function targetOf(path: string, query: Readonly<Record<string, string | number | boolean | undefined>> = {}) {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
