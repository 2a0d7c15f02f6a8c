/** The parts of an OpenAPI description that the tests read. */
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  responses: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
  parameters?: { name: string; description?: string }[];
  requestBody?: { content?: Record<string, { schema?: object }> };
}
export interface Description {
  openapi: string;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> };
  paths: Record<string, Record<string, Operation>>;
}

/** What is wrong with the description of an operation, in words; empty when a client can be written from it. */
function shortcomings(name: string, operation: Operation): string[] {
  const wrong: string[] = [];
  if (!operation.operationId) wrong.push(`${name}: no operationId`);
  if (!operation.summary) wrong.push(`${name}: no summary`);
  if (!operation.description) wrong.push(`${name}: no description`);
  if (!operation.tags?.length) wrong.push(`${name}: no tag`);
  if (operation.security === undefined) wrong.push(`${name}: does not say who may call it`);
  const statuses = Object.keys(operation.responses);
  if (!statuses.some((status) => status.startsWith('2') || status.startsWith('3') || status === '101'))
    wrong.push(`${name}: no successful answer`);
  if (operation.security?.length && !statuses.includes('401')) wrong.push(`${name}: asks for a key, but has no 401`);
  for (const always of ['431', '503'])
    if (!statuses.includes(always)) wrong.push(`${name}: has no ${always}, which every route may answer`);
  for (const [status, { description }] of Object.entries(operation.responses))
    if (!description || description === 'Default Response') wrong.push(`${name}: ${status} is not described`);
  for (const parameter of operation.parameters ?? [])
    if (!parameter.description) wrong.push(`${name}: the parameter ${parameter.name} is not described`);
  const { requestBody } = operation;
  if (requestBody !== undefined && Object.keys(requestBody.content ?? {}).length === 0)
    wrong.push(`${name}: takes a body of no known type`);
  for (const [type, { schema = {} }] of Object.entries(requestBody?.content ?? {}))
    if (Object.keys(schema).length === 0) wrong.push(`${name}: a body of ${type} is not described`);
  return wrong;
}

/** The operations of a description by method and path, and what is wrong with any of them. */
export function examine({ paths }: Description): { readonly names: string[]; readonly wrong: string[] } {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  const ids = operations.map(([, { operationId }]) => operationId);
  const repeated = ids.filter((id, at) => ids.indexOf(id) !== at);
  return {
    names: operations.map(([name]) => name),
    wrong: [
      ...operations.flatMap(([name, operation]) => shortcomings(name, operation)),
      ...repeated.map((id) => `${id}: two operations have this id`),
    ],
  };
}
