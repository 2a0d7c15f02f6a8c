import type { RequestOptions } from './call.ts';
import { type List, listBy } from './cursor-list.ts';
import type { AnswerOf, QueryOf, Routes, Schemas } from './routes.ts';

type Paths = '/api/cases/{id}/comments' | '/api/detections/{id}/comments';
type Query = QueryOf<'/api/cases/{id}/comments'>;
type Linked = Schemas['LinkedExecution'];

/** Comments on a case or detection. */
export interface Comments {
  /** Returns the list of comments of one case or detection. */
  of(id: string): List<Schemas['Comment'], Query, AnswerOf<'/api/cases/{id}/comments', 'get'>>;
  /** Adds a comment; `@name` mentions an analyst. */
  create(id: string, text: string, options?: RequestOptions): Promise<Schemas['Comment']>;
  update(id: string, commentId: string, text: string, options?: RequestOptions): Promise<Schemas['Comment']>;
  delete(id: string, commentId: string, options?: RequestOptions): Promise<void>;
}

/** Executions that are linked to a case or detection. */
export interface LinkedExecutions {
  list(id: string, options?: RequestOptions): Promise<{ readonly data: readonly Linked[] }>;
  /** Links an execution to the case or detection. */
  link(id: string, executionId: string, options?: RequestOptions): Promise<{ readonly data: readonly Linked[] }>;
}

export function createComments(routes: Routes, subject: 'cases' | 'detections'): Comments {
  const all = `/api/${subject}/{id}/comments` as Paths;
  const one = `/api/${subject}/{id}/comments/{commentId}` as `${Paths}/{commentId}`;
  return {
    of: (id) => listBy((query, options) => routes.json('get', all, { path: [id], query, ...options })),
    create: (id, text, options) => routes.json('post', all, { path: [id], json: { text }, ...options }),
    update: (id, commentId, text, options) =>
      routes.json('patch', one, { path: [id, commentId], json: { text }, ...options }),
    delete: (id, commentId, options) => routes.nothing('delete', one, { path: [id, commentId], ...options }),
  };
}

export function createLinkedExecutions(routes: Routes, subject: 'cases' | 'detections'): LinkedExecutions {
  const path = `/api/${subject}/{id}/executions` as '/api/cases/{id}/executions';
  return {
    list: (id, options) => routes.json('get', path, { path: [id], ...options }),
    link: (id, executionId, options) => routes.json('post', path, { path: [id], json: { executionId }, ...options }),
  };
}
