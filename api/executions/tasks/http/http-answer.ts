import type { OutboundRequest, OutboundResponse } from '#api/outbound/port.ts';
import type { HttpTask } from '../../engine/contract/call-task.ts';
import type { JsonValue } from '../../json-value.ts';

/** Returns the output that the definition requests: the content, the whole response, or the bytes in base64. */
export function outputOf(task: HttpTask, request: OutboundRequest, response: OutboundResponse): JsonValue {
  switch (task.output) {
    case 'raw':
      return response.body.toString('base64');
    case 'response':
      return {
        request: {
          method: request.method ?? 'GET',
          uri: shownUrl(request.url),
          headers: task.headers as JsonValue,
        },
        statusCode: response.status,
        headers: response.headers,
        content: contentOf(response),
      };
    default:
      return contentOf(response);
  }
}

/**
 * Parses the body. JSON becomes a value, text a string, anything else base64, and an empty body null. An invalid JSON
 * body becomes a string.
 */
export function contentOf({ headers, body }: OutboundResponse): JsonValue {
  if (body.length === 0) return null;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type) || type === 'text/json' || type === '') {
    const parsed = parse(body);
    if (parsed !== undefined) return parsed;
  }
  const isText = /^text\/|[/+](?:xml|json|yaml|javascript|x-www-form-urlencoded|x-ndjson)$/.test(type) || type === '';
  if (!isText) return body.toString('base64');
  const text = body.toString('utf8');
  return text.isWellFormed() ? text : text.toWellFormed();
}

function parse(body: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(body.toString('utf8')) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Removes query, user and password, which may be confidential. */
export function shownUrl(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}
