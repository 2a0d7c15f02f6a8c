import { type Document, type Operation, operationsOf, type Parameter, type Schema } from './document.ts';

const HEADER = `# API reference

This page is generated from the OpenAPI description that every server serves at \`/api/openapi.json\` (no sign-in needed). It lists the routes for
API keys, for ordinary accounts and for anyone. \`/api/docs\` describes all routes, also those for administrators, and needs the admin key.

Errors have one form everywhere: \`ErrorEnvelope\`, with one issue for each fault. Answers above 1 KiB are compressed with brotli or gzip when
the client accepts it.

Client generators accept the description. \`npm run clients:check\` proves it for openapi-python-client and openapi-generator:

\`\`\`sh
openapi-python-client generate --url http://127.0.0.1:8080/api/openapi.json
openapi-generator-cli generate -g python -i http://127.0.0.1:8080/api/openapi.json -o client
\`\`\`
`;

/** Renders a description as Markdown: a section per tag, with its operations, their parameters and bodies. */
export function referencePage(document: Document): string {
  const operations = operationsOf(document);
  const sections = (document.tags ?? []).map(({ name, description }) => {
    const ofTag = operations.filter(({ operation }) => operation.tags?.includes(name));
    return [
      `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
      description,
      ...ofTag.map(({ method, path, operation }) => operationText(method, path, operation)),
    ].join('\n\n');
  });
  return `${[HEADER, ...sections].join('\n')}\n`;
}

function operationText(method: string, path: string, operation: Operation): string {
  const { summary = '', description = '', operationId = '', parameters = [], requestBody, responses } = operation;
  const access = operation['x-required-access'] ?? 'none';
  const facts = [
    `\`${method.toUpperCase()} ${path}\``,
    `operation \`${operationId}\``,
    `access: ${access}`,
    ...(requestBody ? [`body: ${contentText(requestBody.content)}`] : []),
    `answers: ${Object.entries(responses)
      .filter(([status]) => /^[123]/.test(status))
      .map(([status, { content }]) => (content ? `${status} ${contentText(content)}` : status))
      .join('; ')}`,
  ];
  return [
    `### ${summary}`,
    description,
    facts.map((fact) => `- ${fact}`).join('\n'),
    ...(parameters.length === 0 ? [] : [listOf(parameters)]),
  ].join('\n\n');
}

function contentText(content: Readonly<Record<string, { readonly schema?: Schema }>>): string {
  return Object.entries(content)
    .map(([type, { schema = {} }]) => `\`${type}\`${schema.$ref ? ` (${nameOf(schema.$ref)})` : ''}`)
    .join(', ');
}

/** Uses a list: a formatter would align the columns of a table and so change the page. */
function listOf(parameters: readonly Parameter[]): string {
  const items = parameters.map(({ name, in: place, required, description = '', schema }) => {
    const facts = [place, typeOf(schema), ...(required ? ['required'] : [])].join(', ');
    return `- \`${name}\` (${facts}): ${description.replaceAll(/\s+/g, ' ')}`;
  });
  return ['Parameters:', items.join('\n')].join('\n\n');
}

function typeOf({ $ref, type = 'any', enum: values }: Schema): string {
  if ($ref !== undefined) return nameOf($ref);
  return values === undefined ? type : values.map((value) => `\`${String(value)}\``).join(', ');
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
