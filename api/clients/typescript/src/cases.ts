import type { RequestOptions } from './call.ts';
import { type Comments, createComments, createLinkedExecutions, type LinkedExecutions } from './comments.ts';
import { type List, listBy } from './cursor-list.ts';
import type { Download } from './download.ts';
import { type AnswerOf, type BodyOf, type ChangeOptions, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

type Case = Schemas['WholeCase'];

/** Tasks of cases. */
export interface CaseTasks {
  create(
    caseId: string,
    task: BodyOf<'/api/cases/{id}/tasks', 'post'>,
    options?: RequestOptions,
  ): Promise<Schemas['CaseTask']>;
  update(
    caseId: string,
    taskId: string,
    change: BodyOf<'/api/cases/{id}/tasks/{taskId}', 'patch'>,
    options?: RequestOptions,
  ): Promise<Schemas['CaseTask']>;
  delete(caseId: string, taskId: string, options?: RequestOptions): Promise<void>;
}

/** Evidence files of cases. */
export interface CaseFiles {
  /** Uploads a file. */
  add(caseId: string, file: Blob, options?: RequestOptions): Promise<Schemas['CaseFile']>;
  /** Streams the content of a file. */
  download(caseId: string, fileId: string, options?: RequestOptions): Promise<Download>;
  delete(caseId: string, fileId: string, options?: RequestOptions): Promise<void>;
}

/** Templates from which cases are created. Administrators change them. */
export interface CaseTemplates {
  list(options?: RequestOptions): Promise<AnswerOf<'/api/case-templates', 'get'>>;
  create(template: BodyOf<'/api/case-templates', 'post'>, options?: RequestOptions): Promise<Schemas['CaseTemplate']>;
  replace(
    id: string,
    template: BodyOf<'/api/case-templates/{id}', 'put'>,
    options?: ChangeOptions,
  ): Promise<Schemas['CaseTemplate']>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

/** Cases: several detections that analysts work on together. */
export interface Cases extends List<Schemas['Case'], QueryOf<'/api/cases'>, AnswerOf<'/api/cases', 'get'>> {
  readonly tasks: CaseTasks;
  readonly files: CaseFiles;
  readonly comments: Comments;
  readonly executions: LinkedExecutions;
  readonly templates: CaseTemplates;
  /** Returns one case with its detections, tasks and files. */
  get(id: string, options?: RequestOptions): Promise<Case>;
  create(body: BodyOf<'/api/cases', 'post'>, options?: RequestOptions): Promise<Case>;
  /** Changes the given fields; other fields stay as they are. */
  update(id: string, change: BodyOf<'/api/cases/{id}', 'patch'>, options?: ChangeOptions): Promise<Case>;
  addDetections(
    id: string,
    detectionIds: readonly string[],
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/cases/{id}/detections', 'post'>>;
  removeDetection(id: string, detectionId: string, options?: RequestOptions): Promise<void>;
  /** Returns the events of a case in order. */
  timeline(id: string, options?: RequestOptions): Promise<AnswerOf<'/api/cases/{id}/timeline', 'get'>>;
  /** Returns the report of a case as Markdown. */
  report(id: string, options?: RequestOptions): Promise<Download>;
  /** Returns figures over all cases: open cases, time to acknowledge and to close. */
  metrics(
    params?: QueryOf<'/api/case-metrics'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/case-metrics', 'get'>>;
}

export function createCases(transport: Transport): Cases {
  const routes = createRoutes(transport);
  const one = '/api/cases/{id}';
  return {
    ...listBy((query, options) => routes.json('get', '/api/cases', { query, ...options })),
    tasks: {
      create: (id, json, options) => routes.json('post', `${one}/tasks`, { path: [id], json, ...options }),
      update: (id, task, json, options) =>
        routes.json('patch', `${one}/tasks/{taskId}`, { path: [id, task], json, ...options }),
      delete: (id, task, options) =>
        routes.nothing('delete', `${one}/tasks/{taskId}`, { path: [id, task], ...options }),
    },
    files: {
      async add(id, file, options) {
        const form = new FormData();
        form.append('file', file);
        return transport.json({ method: 'POST', path: routes.pathOf(`${one}/files`, id), form, ...options });
      },
      download: (id, file, options) => routes.download(`${one}/files/{fileId}`, { path: [id, file], ...options }),
      delete: (id, file, options) =>
        routes.nothing('delete', `${one}/files/{fileId}`, { path: [id, file], ...options }),
    },
    comments: createComments(routes, 'cases'),
    executions: createLinkedExecutions(routes, 'cases'),
    templates: {
      list: (options) => routes.json('get', '/api/case-templates', options),
      create: (json, options) => routes.json('post', '/api/case-templates', { json, ...options }),
      replace: (id, json, options) => routes.json('put', '/api/case-templates/{id}', { path: [id], json, ...options }),
      delete: (id, options) => routes.nothing('delete', '/api/case-templates/{id}', { path: [id], ...options }),
    },
    get: (id, options) => routes.json('get', one, { path: [id], ...options }),
    create: (json, options) => routes.json('post', '/api/cases', { json, ...options }),
    update: (id, json, options) => routes.json('patch', one, { path: [id], json, ...options }),
    addDetections: (id, detections, options) =>
      routes.json('post', `${one}/detections`, { path: [id], json: { detections }, repeatable: 'always', ...options }),
    removeDetection: (id, detection, options) =>
      routes.nothing('delete', `${one}/detections/{detectionId}`, { path: [id, detection], ...options }),
    timeline: (id, options) => routes.json('get', `${one}/timeline`, { path: [id], ...options }),
    report: (id, options) => routes.download(`${one}/report`, { path: [id], ...options }),
    metrics: (query, options) => routes.json('get', '/api/case-metrics', { query, ...options }),
  };
}
