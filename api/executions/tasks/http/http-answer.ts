import type { OutboundRequest, OutboundResponse } from '../../../outbound/port.ts';
import type { JsonValue } from '../../json-value.ts';
import type { HttpTask } from './http-request.ts';

/** What a definition says it wants of an answer: what is in it, the answer around it too, or its bytes in base64. */
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

/** JSON is parsed, text is text, anything else is base64, an empty body is null. A body with a JSON content type that is not JSON is text. */
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

/** Without query, user and password: they may hold what only the service should know. */
export function shownUrl(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}
