import { type Content, type Document, type Operation, operationsOf } from './document.ts';
import { nameSchemas } from './name-schemas.ts';
import { normalizeSchema } from './normalize-schema.ts';
import { TAGS } from './tags.ts';

const BINARY_TYPES = new Set(['application/octet-stream', 'image/svg+xml']);

/** Completes the document generated from the routes so that linters and client generators accept it. */
export function finishDescription(document: Document): Document {
  const paths: Document['paths'] = {};
  for (const { path, method, operation } of operationsOf(document))
    paths[path] = { ...paths[path], [method]: finishOperation(operation) };
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []));
  return nameSchemas({ ...document, paths, tags: TAGS.filter(({ name }) => used.has(name)) });
}

function finishOperation(operation: Operation): Operation {
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((parameter) => ({ ...parameter, schema: normalizeSchema(parameter.schema) })),
    }),
    ...(requestBody && { requestBody: { ...requestBody, content: finishContent(requestBody.content) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const { content, ...rest } = response;
        // A redirect or a switch to WebSocket has no body.
        if (content === undefined || /^[13]/.test(status)) return [status, rest];
        return [status, { ...rest, content: finishContent(content) }];
      }),
    ),
  };
}

function finishContent(content: Content): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema = {} }]) => [
      type,
      { schema: BINARY_TYPES.has(type) ? { type: 'string', format: 'binary' } : normalizeSchema(schema) },
    ]),
  );
}
