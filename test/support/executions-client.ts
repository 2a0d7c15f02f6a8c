import { waitFor } from './wait-for.ts';

const HEAD = 'document: { dsl: 1.0.0, namespace: test, name: test, version: 1.0.0 }';

/** Response of an API server. `status` 0: the connection broke before the response. */
export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** Returns functions that call routes of an API server with this key. `baseUrl` is evaluated before each call. */
export function executionsClient(baseUrl: () => string, key: string) {
  const call = <T>(method: string, target: string, body?: unknown) =>
    callText<T>(method, target, body === undefined ? undefined : JSON.stringify(body));

  async function callText<T>(method: string, target: string, json?: string): Promise<Answer<T>> {
    try {
      const response = await fetch(`${baseUrl()}${target}`, {
        method,
        headers: { 'x-api-key': key, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(json === undefined ? {} : { body: json }),
      });
      const text = await response.text();
      // A proxy without an available server responds with text instead of JSON.
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, body: (isJson ? JSON.parse(text) : { text }) as T };
    } catch (error) {
      if (error instanceof TypeError) return { status: 0, body: {} as T };
      throw error;
    }
  }

  return {
    call,
    /** Like `call`, with a body that is already JSON text. */
    callText,
    /** Releases a workflow with these tasks, in YAML. */
    async release(slug: string, tasks: string): Promise<void> {
      const { status, body } = await call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: `${HEAD}\n${tasks}` });
      if (status >= 300 || status === 0) throw new Error(`${slug}: ${status} ${JSON.stringify(body)}`);
    },
    run: (slug: string, input: object) =>
      call<{ executionId: string }>('POST', `/api/v1/workflows/${slug}/run`, { input }),
    /** Resolves to the execution when it has ended. */
    ended: (id: string) =>
      waitFor(`${id} to end`, async () => {
        const { body } = await call<{ status: string; result?: unknown }>('GET', `/api/v1/workflows/executions/${id}`);
        return ['completed', 'failed', 'cancelled', 'rejected'].includes(body.status) && body;
      }),
  };
}
