// Generated from the OpenAPI description of the API; see test/api/http/description. Not to be edited.
export type paths = {
 "/api/admin/detector-tokens": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateDetectorTokenRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CreateDetectorTokenResponse"];
     };
    };
   };
  };
 };
 "/api/admin/detectors/{hostname}": {
  delete: {
   parameters: {
    path: {
     /** @description Name of the host in its events */
     hostname: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/case-metrics": {
  get: {
   parameters: {
    query?: {
     /** @description Cases opened at this time or later: ISO 8601, or relative such as now()-7d (s, m, h, d, w); default: 30 days ago */
     from?: string;
     /** @description Cases opened before this time; default: now */
     to?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetCaseMetricsResponse"];
     };
    };
   };
  };
 };
 "/api/case-templates": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListCaseTemplatesResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateCaseTemplateRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CaseTemplate"];
     };
    };
   };
  };
 };
 "/api/case-templates/{id}": {
  put: {
   parameters: {
    header?: {
     /** @description ETag of the template to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of a template of cases */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateCaseTemplateRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CaseTemplate"];
     };
    };
   };
  };
  delete: {
   parameters: {
    header?: {
     /** @description ETag of the template to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of a template of cases */
     id: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/cases": {
  get: {
   parameters: {
    query?: {
     /** @description State, or several */
     status?: string;
     /** @description Severity, or several */
     severity?: string;
     /** @description Assigned analyst, or several */
     assignee?: string;
     /** @description without cases that have this state, or one of these; those that have none stay */
     "exclude.status"?: string;
     /** @description without cases that have this severity, or one of these; those that have none stay */
     "exclude.severity"?: string;
     /** @description without cases that have this assignee, or one of these; those that have none stay */
     "exclude.assignee"?: string;
     /** @description Cases that contain this detection */
     detection?: string;
     /** @description Part of the title, or the case number */
     q?: string;
     /** @description Opened at this time or later: ISO 8601, or relative such as now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description Opened before this time */
     to?: string;
     /** @description conditions on figures, joined by commas; all must hold. Each is one of detections, tasks, openTasks, doneTasks, then >=, <=, !=, =, then a number. At most 12 */
     figures?: string;
     /** @description Maximum number of results, 1 to 1,000; default 100 */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListCasesResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateCaseRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["WholeCase"];
     };
    };
   };
  };
 };
 "/api/cases/{id}": {
  get: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["WholeCase"];
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     /** @description ETag of the case to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeCaseRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["WholeCase"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/comments": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of results, 1 to 1,000; default 100 */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionCommentsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateDetectionCommentRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["Comment"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/comments/{commentId}": {
  delete: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
     /** @description Id of a comment */
     commentId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
     /** @description Id of a comment */
     commentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateDetectionCommentRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Comment"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/detections": {
  post: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["AddCaseDetectionsRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["AddCaseDetectionsResponse"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/detections/{detectionId}": {
  delete: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
     /** @description Id of a detection */
     detectionId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/cases/{id}/executions": {
  get: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionExecutionsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["LinkDetectionExecutionRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionExecutionsResponse"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/files": {
  post: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   requestBody: {
    content: {
     "multipart/form-data": components["schemas"]["AddCaseFileForm"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CaseFile"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/files/{fileId}": {
  get: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
     /** @description Id of a file of a case */
     fileId: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
     /** @description Id of a file of a case */
     fileId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/cases/{id}/report": {
  get: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/cases/{id}/tasks": {
  post: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateCaseTaskRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CaseTask"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/tasks/{taskId}": {
  delete: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
     /** @description Id of a task */
     taskId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
     /** @description Id of a task */
     taskId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeCaseTaskRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CaseTask"];
     };
    };
   };
  };
 };
 "/api/cases/{id}/timeline": {
  get: {
   parameters: {
    path: {
     /** @description Id of a case */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetCaseTimelineResponse"];
     };
    };
   };
  };
 };
 "/api/dead-letters": {
  get: {
   parameters: {
    query?: {
     /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description before this time, RFC 3339 or now()-7d */
     to?: string;
     /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: code, path, message, topic, partition, offset, received */
     q?: string;
     /** @description rejection reason, or several */
     code?: string;
     /** @description topic, or several */
     topic?: string;
     /** @description whether a redrive was successful */
     status?: string;
     /** @description records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
     /** @description json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept` */
     format?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDeadLettersResponse"];
     };
    };
   };
  };
 };
 "/api/dead-letters/{id}": {
  get: {
   parameters: {
    query?: {
     /** @description json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept` */
     format?: string;
    };
    path: {
     /** @description id of the dead letter */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["DeadLetter"];
     };
    };
   };
  };
 };
 "/api/dead-letters/redrive": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["RedriveDeadLettersRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["RedriveDeadLettersResponse"];
     };
    };
   };
  };
 };
 "/api/demo": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartDemoResponse"];
     };
    };
   };
  };
  delete: {
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/detections": {
  get: {
   parameters: {
    query?: {
     /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description before this time, RFC 3339 or now()-7d */
     to?: string;
     /** @description exact host, or several; includes campaigns that reached the host */
     hostname?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description exact mapped file, or several */
     file?: string;
     /** @description exact register, or several */
     register?: string;
     /** @description exact executable, or several */
     executable?: string;
     /** @description exact systemd unit, or several */
     unit?: string;
     /** @description exact container id, or several */
     container?: string;
     /** @description exact Kubernetes pod UID, or several */
     pod?: string;
     /** @description exact executable of the parent process, or several; its name if the executable is unknown */
     parent?: string;
     /** @description rule id, or several */
     rule?: string;
     /** @description id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign */
     campaign?: string;
     /** @description severity, or several */
     severity?: string;
     /** @description state, or several */
     status?: string;
     /** @description verdict, or several; null: no verdict */
     verdict?: string;
     /** @description assigned analyst, or several; null: not assigned */
     assignee?: string;
     /** @description excludes records with this hostname, or with one of several; records without a value are included */
     "exclude.hostname"?: string;
     /** @description excludes records with this procname, or with one of several; records without a value are included */
     "exclude.procname"?: string;
     /** @description excludes records with this file, or with one of several; records without a value are included */
     "exclude.file"?: string;
     /** @description excludes records with this register, or with one of several; records without a value are included */
     "exclude.register"?: string;
     /** @description excludes records with this executable, or with one of several; records without a value are included */
     "exclude.executable"?: string;
     /** @description excludes records with this unit, or with one of several; records without a value are included */
     "exclude.unit"?: string;
     /** @description excludes records with this container, or with one of several; records without a value are included */
     "exclude.container"?: string;
     /** @description excludes records with this pod, or with one of several; records without a value are included */
     "exclude.pod"?: string;
     /** @description excludes records with this parent, or with one of several; records without a value are included */
     "exclude.parent"?: string;
     /** @description excludes records with this rule, or with one of several; records without a value are included */
     "exclude.rule"?: string;
     /** @description excludes records with this campaign, or with one of several; records without a value are included */
     "exclude.campaign"?: string;
     /** @description excludes records with this severity, or with one of several; records without a value are included */
     "exclude.severity"?: string;
     /** @description excludes records with this status, or with one of several; records without a value are included */
     "exclude.status"?: string;
     /** @description excludes records with this verdict, or with one of several; records without a value are included */
     "exclude.verdict"?: string;
     /** @description excludes records with this assignee, or with one of several; records without a value are included */
     "exclude.assignee"?: string;
     /** @description id of a detection; for events: the evidence of this detection */
     detection?: string;
     /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last */
     q?: string;
     /** @description by latest evidence (default), severity, logged crashes, host name, or host risk; equal values are sorted by latest evidence, latest first. By risk, paging may repeat or omit detections that change at the same time */
     sort?: "lastSeen" | "severity" | "crashes" | "host" | "risk";
     /** @description sort direction; default asc by host, otherwise desc. A cursor is valid only for the order of its list */
     order?: "asc" | "desc";
     /** @description records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
     /** @description json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept` */
     format?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionsResponse"];
     };
    };
   };
  };
 };
 "/api/detections/{id}": {
  get: {
   parameters: {
    query?: {
     /** @description json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept` */
     format?: string;
    };
    path: {
     /** @description id of the detection */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["DetectionWithEvidence"];
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     /** @description ETag of the decision to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["DecisionChange"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Detection"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/comments": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of results, 1 to 1,000; default 100 */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionCommentsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateDetectionCommentRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["Comment"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/comments/{commentId}": {
  delete: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
     /** @description Id of a comment */
     commentId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
     /** @description Id of a comment */
     commentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateDetectionCommentRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Comment"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/executions": {
  get: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionExecutionsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["LinkDetectionExecutionRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionExecutionsResponse"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/history": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of results, 1 to 1,000; default 100 */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectionHistoryResponse"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/markdown": {
  get: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/detections/{id}/proposals": {
  get: {
   parameters: {
    query?: {
     /** @description State, or several */
     state?: string;
    };
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListProposalsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ProposeChangeRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["ListProposalsResponseDataItem"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/proposals/{proposal}/accept": {
  post: {
   parameters: {
    header?: {
     /** @description ETag of the decision to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of a detection */
     id: string;
     /** @description Id of a proposal */
     proposal: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListProposalsResponseDataItem"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/proposals/{proposal}/decline": {
  post: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
     /** @description Id of a proposal */
     proposal: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListProposalsResponseDataItem"];
     };
    };
   };
  };
 };
 "/api/detections/{id}/signs": {
  get: {
   parameters: {
    path: {
     /** @description Id of a detection */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListSignsResponse"];
     };
    };
   };
  };
 };
 "/api/detections/bulk": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeDetectionsRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ChangeDetectionsResponse"];
     };
    };
   };
  };
 };
 "/api/detections/count": {
  get: {
   parameters: {
    query?: {
     /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description before this time, RFC 3339 or now()-7d */
     to?: string;
     /** @description exact host, or several; includes campaigns that reached the host */
     hostname?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description exact mapped file, or several */
     file?: string;
     /** @description exact register, or several */
     register?: string;
     /** @description exact executable, or several */
     executable?: string;
     /** @description exact systemd unit, or several */
     unit?: string;
     /** @description exact container id, or several */
     container?: string;
     /** @description exact Kubernetes pod UID, or several */
     pod?: string;
     /** @description exact executable of the parent process, or several; its name if the executable is unknown */
     parent?: string;
     /** @description rule id, or several */
     rule?: string;
     /** @description id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign */
     campaign?: string;
     /** @description severity, or several */
     severity?: string;
     /** @description state, or several */
     status?: string;
     /** @description verdict, or several; null: no verdict */
     verdict?: string;
     /** @description assigned analyst, or several; null: not assigned */
     assignee?: string;
     /** @description excludes records with this hostname, or with one of several; records without a value are included */
     "exclude.hostname"?: string;
     /** @description excludes records with this procname, or with one of several; records without a value are included */
     "exclude.procname"?: string;
     /** @description excludes records with this file, or with one of several; records without a value are included */
     "exclude.file"?: string;
     /** @description excludes records with this register, or with one of several; records without a value are included */
     "exclude.register"?: string;
     /** @description excludes records with this executable, or with one of several; records without a value are included */
     "exclude.executable"?: string;
     /** @description excludes records with this unit, or with one of several; records without a value are included */
     "exclude.unit"?: string;
     /** @description excludes records with this container, or with one of several; records without a value are included */
     "exclude.container"?: string;
     /** @description excludes records with this pod, or with one of several; records without a value are included */
     "exclude.pod"?: string;
     /** @description excludes records with this parent, or with one of several; records without a value are included */
     "exclude.parent"?: string;
     /** @description excludes records with this rule, or with one of several; records without a value are included */
     "exclude.rule"?: string;
     /** @description excludes records with this campaign, or with one of several; records without a value are included */
     "exclude.campaign"?: string;
     /** @description excludes records with this severity, or with one of several; records without a value are included */
     "exclude.severity"?: string;
     /** @description excludes records with this status, or with one of several; records without a value are included */
     "exclude.status"?: string;
     /** @description excludes records with this verdict, or with one of several; records without a value are included */
     "exclude.verdict"?: string;
     /** @description excludes records with this assignee, or with one of several; records without a value are included */
     "exclude.assignee"?: string;
     /** @description id of a detection; for events: the evidence of this detection */
     detection?: string;
     /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last */
     q?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CountDetectionsResponse"];
     };
    };
   };
  };
 };
 "/api/detections/groups": {
  get: {
   parameters: {
    query: {
     /** @description field by which detections are grouped */
     by: "procname" | "hostname" | "rule" | "campaign";
     /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description before this time, RFC 3339 or now()-7d */
     to?: string;
     /** @description exact host, or several; includes campaigns that reached the host */
     hostname?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description exact mapped file, or several */
     file?: string;
     /** @description exact register, or several */
     register?: string;
     /** @description exact executable, or several */
     executable?: string;
     /** @description exact systemd unit, or several */
     unit?: string;
     /** @description exact container id, or several */
     container?: string;
     /** @description exact Kubernetes pod UID, or several */
     pod?: string;
     /** @description exact executable of the parent process, or several; its name if the executable is unknown */
     parent?: string;
     /** @description rule id, or several */
     rule?: string;
     /** @description id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign */
     campaign?: string;
     /** @description severity, or several */
     severity?: string;
     /** @description state, or several */
     status?: string;
     /** @description verdict, or several; null: no verdict */
     verdict?: string;
     /** @description assigned analyst, or several; null: not assigned */
     assignee?: string;
     /** @description excludes records with this hostname, or with one of several; records without a value are included */
     "exclude.hostname"?: string;
     /** @description excludes records with this procname, or with one of several; records without a value are included */
     "exclude.procname"?: string;
     /** @description excludes records with this file, or with one of several; records without a value are included */
     "exclude.file"?: string;
     /** @description excludes records with this register, or with one of several; records without a value are included */
     "exclude.register"?: string;
     /** @description excludes records with this executable, or with one of several; records without a value are included */
     "exclude.executable"?: string;
     /** @description excludes records with this unit, or with one of several; records without a value are included */
     "exclude.unit"?: string;
     /** @description excludes records with this container, or with one of several; records without a value are included */
     "exclude.container"?: string;
     /** @description excludes records with this pod, or with one of several; records without a value are included */
     "exclude.pod"?: string;
     /** @description excludes records with this parent, or with one of several; records without a value are included */
     "exclude.parent"?: string;
     /** @description excludes records with this rule, or with one of several; records without a value are included */
     "exclude.rule"?: string;
     /** @description excludes records with this campaign, or with one of several; records without a value are included */
     "exclude.campaign"?: string;
     /** @description excludes records with this severity, or with one of several; records without a value are included */
     "exclude.severity"?: string;
     /** @description excludes records with this status, or with one of several; records without a value are included */
     "exclude.status"?: string;
     /** @description excludes records with this verdict, or with one of several; records without a value are included */
     "exclude.verdict"?: string;
     /** @description excludes records with this assignee, or with one of several; records without a value are included */
     "exclude.assignee"?: string;
     /** @description id of a detection; for events: the evidence of this detection */
     detection?: string;
     /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last */
     q?: string;
     /** @description maximum number of groups, up to 500; default 100 */
     limit?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GroupDetectionsResponse"];
     };
    };
   };
  };
 };
 "/api/detections/stream": {
  get: {
   parameters: {
    query?: {
     /** @description rule id, or several */
     rule?: string;
     /** @description excludes records with this rule, or with one of several; records without a value are included */
     "exclude.rule"?: string;
     /** @description severity, or several */
     severity?: string;
     /** @description excludes records with this severity, or with one of several; records without a value are included */
     "exclude.severity"?: string;
     /** @description exact host, or several; includes campaigns that reached the host */
     hostname?: string;
     /** @description excludes records with this hostname, or with one of several; records without a value are included */
     "exclude.hostname"?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description excludes records with this procname, or with one of several; records without a value are included */
     "exclude.procname"?: string;
     /** @description exact executable, or several */
     executable?: string;
     /** @description excludes records with this executable, or with one of several; records without a value are included */
     "exclude.executable"?: string;
     /** @description exact executable of the parent process, or several; its name if the executable is unknown */
     parent?: string;
     /** @description excludes records with this parent, or with one of several; records without a value are included */
     "exclude.parent"?: string;
     /** @description exact systemd unit, or several */
     unit?: string;
     /** @description excludes records with this unit, or with one of several; records without a value are included */
     "exclude.unit"?: string;
     /** @description exact container id, or several */
     container?: string;
     /** @description excludes records with this container, or with one of several; records without a value are included */
     "exclude.container"?: string;
     /** @description exact Kubernetes pod UID, or several */
     pod?: string;
     /** @description excludes records with this pod, or with one of several; records without a value are included */
     "exclude.pod"?: string;
     /** @description Alternative to the header, for clients that cannot set it */
     lastEventId?: string;
    };
    header?: {
     /** @description Id of the last received event; browsers send it automatically */
     "last-event-id"?: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/detections/summary": {
  get: {
   parameters: {
    query?: {
     /** @description Start of the range: ISO 8601, or relative such as now()-7d (s, m, h, d, w). Default: 24 hours before `to`. */
     from?: string;
     /** @description End of the range (exclusive). Default: now. */
     to?: string;
     /** @description exact host, or several; includes campaigns that reached the host */
     hostname?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description exact mapped file, or several */
     file?: string;
     /** @description exact register, or several */
     register?: string;
     /** @description exact executable, or several */
     executable?: string;
     /** @description exact systemd unit, or several */
     unit?: string;
     /** @description exact container id, or several */
     container?: string;
     /** @description exact Kubernetes pod UID, or several */
     pod?: string;
     /** @description exact executable of the parent process, or several; its name if the executable is unknown */
     parent?: string;
     /** @description rule id, or several */
     rule?: string;
     /** @description id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign */
     campaign?: string;
     /** @description severity, or several */
     severity?: string;
     /** @description state, or several */
     status?: string;
     /** @description verdict, or several; null: no verdict */
     verdict?: string;
     /** @description assigned analyst, or several; null: not assigned */
     assignee?: string;
     /** @description excludes records with this hostname, or with one of several; records without a value are included */
     "exclude.hostname"?: string;
     /** @description excludes records with this procname, or with one of several; records without a value are included */
     "exclude.procname"?: string;
     /** @description excludes records with this file, or with one of several; records without a value are included */
     "exclude.file"?: string;
     /** @description excludes records with this register, or with one of several; records without a value are included */
     "exclude.register"?: string;
     /** @description excludes records with this executable, or with one of several; records without a value are included */
     "exclude.executable"?: string;
     /** @description excludes records with this unit, or with one of several; records without a value are included */
     "exclude.unit"?: string;
     /** @description excludes records with this container, or with one of several; records without a value are included */
     "exclude.container"?: string;
     /** @description excludes records with this pod, or with one of several; records without a value are included */
     "exclude.pod"?: string;
     /** @description excludes records with this parent, or with one of several; records without a value are included */
     "exclude.parent"?: string;
     /** @description excludes records with this rule, or with one of several; records without a value are included */
     "exclude.rule"?: string;
     /** @description excludes records with this campaign, or with one of several; records without a value are included */
     "exclude.campaign"?: string;
     /** @description excludes records with this severity, or with one of several; records without a value are included */
     "exclude.severity"?: string;
     /** @description excludes records with this status, or with one of several; records without a value are included */
     "exclude.status"?: string;
     /** @description excludes records with this verdict, or with one of several; records without a value are included */
     "exclude.verdict"?: string;
     /** @description excludes records with this assignee, or with one of several; records without a value are included */
     "exclude.assignee"?: string;
     /** @description id of a detection; for events: the evidence of this detection */
     detection?: string;
     /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last */
     q?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SummarizeDetectionsResponse"];
     };
    };
   };
  };
 };
 "/api/detections/undo": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["UndoDetectionChangesRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["UndoDetectionChangesResponse"];
     };
    };
   };
  };
 };
 "/api/detectors": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListDetectorsResponse"];
     };
    };
   };
  };
 };
 "/api/detectors/enrolment": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["EnrolDetectorRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["EnrolDetectorResponse"];
     };
    };
   };
  };
 };
 "/api/detectors/status": {
  put: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ReportDetectorStatusRequest"];
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/events": {
  get: {
   parameters: {
    query?: {
     /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description before this time, RFC 3339 or now()-7d */
     to?: string;
     /** @description exact host, or several */
     hostname?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description exact mapped file, or several */
     file?: string;
     /** @description exact register, or several */
     register?: string;
     /** @description exact executable, or several */
     executable?: string;
     /** @description exact systemd unit, or several */
     unit?: string;
     /** @description exact container id, or several */
     container?: string;
     /** @description exact Kubernetes pod UID, or several */
     pod?: string;
     /** @description event type, or several */
     type?: string;
     /** @description excludes records with this hostname, or with one of several; records without a value are included */
     "exclude.hostname"?: string;
     /** @description excludes records with this procname, or with one of several; records without a value are included */
     "exclude.procname"?: string;
     /** @description excludes records with this file, or with one of several; records without a value are included */
     "exclude.file"?: string;
     /** @description excludes records with this register, or with one of several; records without a value are included */
     "exclude.register"?: string;
     /** @description excludes records with this executable, or with one of several; records without a value are included */
     "exclude.executable"?: string;
     /** @description excludes records with this unit, or with one of several; records without a value are included */
     "exclude.unit"?: string;
     /** @description excludes records with this container, or with one of several; records without a value are included */
     "exclude.container"?: string;
     /** @description excludes records with this pod, or with one of several; records without a value are included */
     "exclude.pod"?: string;
     /** @description excludes records with this type, or with one of several; records without a value are included */
     "exclude.type"?: string;
     /** @description id of a detection; for events: the evidence of this detection */
     detection?: string;
     /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, time, received, topic, partition, offset, type, pid, ip, sp, vmastart, vmasize, trap, location, signal, function_name, count, level, facility, executable, build_id, uid, unit, container, pod */
     q?: string;
     /** @description records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
     /** @description json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept` */
     format?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListEventsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    header?: {
     /** @description idempotency key: the same events with the same key are accepted once within 24 hours */
     "idempotency-key"?: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["SubmitEventsRequestOption1"] | components["schemas"]["SubmitEventsRequestOption1"][];
     "application/x-ndjson": string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SubmitEventsResponse"];
     };
    };
   };
  };
 };
 "/api/events/{id}": {
  get: {
   parameters: {
    query?: {
     /** @description json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept` */
     format?: string;
    };
    path: {
     /** @description id of the event */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["EventRecord"];
     };
    };
   };
  };
 };
 "/api/events/summary": {
  get: {
   parameters: {
    query?: {
     /** @description Start of the range: ISO 8601, or relative such as now()-7d (s, m, h, d, w). Default: 24 hours before `to`. */
     from?: string;
     /** @description End of the range (exclusive). Default: now. */
     to?: string;
     /** @description exact host, or several */
     hostname?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description exact mapped file, or several */
     file?: string;
     /** @description exact register, or several */
     register?: string;
     /** @description exact executable, or several */
     executable?: string;
     /** @description exact systemd unit, or several */
     unit?: string;
     /** @description exact container id, or several */
     container?: string;
     /** @description exact Kubernetes pod UID, or several */
     pod?: string;
     /** @description event type, or several */
     type?: string;
     /** @description excludes records with this hostname, or with one of several; records without a value are included */
     "exclude.hostname"?: string;
     /** @description excludes records with this procname, or with one of several; records without a value are included */
     "exclude.procname"?: string;
     /** @description excludes records with this file, or with one of several; records without a value are included */
     "exclude.file"?: string;
     /** @description excludes records with this register, or with one of several; records without a value are included */
     "exclude.register"?: string;
     /** @description excludes records with this executable, or with one of several; records without a value are included */
     "exclude.executable"?: string;
     /** @description excludes records with this unit, or with one of several; records without a value are included */
     "exclude.unit"?: string;
     /** @description excludes records with this container, or with one of several; records without a value are included */
     "exclude.container"?: string;
     /** @description excludes records with this pod, or with one of several; records without a value are included */
     "exclude.pod"?: string;
     /** @description excludes records with this type, or with one of several; records without a value are included */
     "exclude.type"?: string;
     /** @description id of a detection; for events: the evidence of this detection */
     detection?: string;
     /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, time, received, topic, partition, offset, type, pid, ip, sp, vmastart, vmasize, trap, location, signal, function_name, count, level, facility, executable, build_id, uid, unit, container, pod */
     q?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SummarizeEventsResponse"];
     };
    };
   };
  };
 };
 "/api/exception-requests": {
  get: {
   parameters: {
    query?: {
     /** @description state, or several */
     state?: string;
     /** @description records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListExceptionRequestsResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateExceptionRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["ListExceptionRequestsResponseDataItem"];
     };
    };
   };
  };
 };
 "/api/exception-requests/{id}": {
  delete: {
   parameters: {
    path: {
     /** @description Id of a request for an exception */
     id: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/exception-requests/{id}/approve": {
  post: {
   parameters: {
    path: {
     /** @description Id of a request for an exception */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ApproveExceptionRequestRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ApproveExceptionRequestResponse"];
     };
    };
   };
  };
 };
 "/api/exception-requests/{id}/reject": {
  post: {
   parameters: {
    path: {
     /** @description Id of a request for an exception */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ApproveExceptionRequestRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListExceptionRequestsResponseDataItem"];
     };
    };
   };
  };
 };
 "/api/exceptions": {
  get: {
   parameters: {
    query?: {
     /** @description Includes ended exceptions */
     ended?: boolean;
     /** @description records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListExceptionsResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateExceptionRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CreateExceptionResponse"];
     };
    };
   };
  };
 };
 "/api/exceptions/{id}": {
  delete: {
   parameters: {
    path: {
     /** @description Id of an exception */
     id: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/exceptions/policy": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetExceptionPolicyResponse"];
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     /** @description ETag of the policy to change */
     "if-match"?: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeExceptionPolicyRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetExceptionPolicyResponse"];
     };
    };
   };
  };
 };
 "/api/exceptions/preview": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["PreviewExceptionRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["PreviewExceptionResponse"];
     };
    };
   };
  };
 };
 "/api/hosts": {
  get: {
   parameters: {
    query?: {
     /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description before this time, RFC 3339 or now()-7d */
     to?: string;
     /** @description exact host, or several */
     hostname?: string;
     /** @description text contained in the host name, ignoring case */
     q?: string;
     /** @description conditions on figures, joined by commas; all must hold. Each is one of events, crashes, programs, detections, openDetections, risk, then >=, <=, !=, =, then a number; the risk on the scale of 0 to 100. At most 12 */
     figures?: string;
     /** @description by latest event (default) or by risk, highest first; by risk, paging may repeat or omit hosts that change at the same time */
     sort?: "lastSeen" | "risk";
     /** @description records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListHostsResponse"];
     };
    };
   };
  };
 };
 "/api/output-kinds": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListOutputKindsResponse"];
     };
    };
   };
  };
 };
 "/api/outputs": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListOutputsResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      /** @description A disabled output keeps its position and continues from there */
      enabled?: boolean;
      filter?: components["schemas"]["OutputFilter2"];
      /** @description Unique, ignoring case */
      name: string;
      secrets?: {
       [key: string]: unknown;
      };
      settings?: {
       [key: string]: unknown;
      };
      type: string;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["Output"];
     };
    };
   };
  };
 };
 "/api/outputs/{id}": {
  get: {
   parameters: {
    path: {
     /** @description Id of the output */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Output"];
     };
    };
   };
  };
  delete: {
   parameters: {
    header?: {
     /** @description ETag of the output to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of the output */
     id: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     /** @description ETag of the output to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of the output */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeOutputRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Output"];
     };
    };
   };
  };
 };
 "/api/outputs/{id}/deliveries": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of results, 1 to 1,000; default 100 */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
    path: {
     /** @description Id of the output */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetOutputDeliveriesResponse"];
     };
    };
   };
  };
 };
 "/api/outputs/{id}/resend": {
  post: {
   parameters: {
    path: {
     /** @description Id of the output */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ResendOutputDeadLettersRequest"];
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["ResendOutputDeadLettersResponse"];
     };
    };
   };
  };
 };
 "/api/outputs/{id}/test": {
  post: {
   parameters: {
    path: {
     /** @description Id of the output */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["TestOutputResponse"];
     };
    };
   };
  };
 };
 "/api/people": {
  get: {
   parameters: {
    query?: {
     /** @description Part of the name or the address; empty: all */
     q?: string;
     /** @description Maximum number of results; default 20, at most 100 */
     limit?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SearchPeopleResponse"];
     };
    };
   };
  };
 };
 "/api/processes": {
  get: {
   parameters: {
    query?: {
     /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description before this time, RFC 3339 or now()-7d */
     to?: string;
     /** @description exact host, or several */
     hostname?: string;
     /** @description exact program, or several */
     procname?: string;
     /** @description conditions on figures, joined by commas; all must hold. Each is one of events, crashes, detections, openDetections, risk, then >=, <=, !=, =, then a number; the risk on the scale of 0 to 100. At most 12 */
     figures?: string;
     /** @description by latest event (default) or by risk, highest first; by risk, paging may repeat or omit hosts that change at the same time */
     sort?: "lastSeen" | "risk";
     /** @description records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListProcessesResponse"];
     };
    };
   };
  };
 };
 "/api/rules": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListRulesResponse"];
     };
    };
   };
  };
 };
 "/api/rules/{id}": {
  get: {
   parameters: {
    path: {
     /** @description Id of a rule; GET /api/rules lists them */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Rule"];
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     /** @description ETag of the settings to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id of a rule; GET /api/rules lists them */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeRuleRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Rule"];
     };
    };
   };
  };
 };
 "/api/rules/{id}/backtest": {
  post: {
   parameters: {
    path: {
     /** @description Id of a rule; GET /api/rules lists them */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["BacktestRuleRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["BacktestRuleResponse"];
     };
    };
   };
  };
 };
 "/api/user-rules": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListUserRulesResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["PushUserRuleRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["PushUserRuleResponse"];
     };
    };
   };
  };
 };
 "/api/user-rules/{id}": {
  get: {
   parameters: {
    query?: {
     /** @description `source` is the text of this version */
     version?: number;
    };
    path: {
     /** @description Id of a rule; GET /api/rules lists them */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetUserRuleResponse"];
     };
    };
   };
  };
  patch: {
   parameters: {
    path: {
     /** @description Id of a rule; GET /api/rules lists them */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeUserRuleRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListUserRulesResponseDataItem"];
     };
    };
   };
  };
 };
 "/api/user-rules/backtest": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["BacktestUserRuleRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["BacktestUserRuleResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents": {
  get: {
   parameters: {
    query?: {
     /** @description Substring of id, slug, name or description, case-insensitive */
     search?: string;
     /** @description Archived ones too */
     includeArchived?: boolean;
     /** @description Maximum number of items, 1 to 500; default 50 */
     limit?: number;
     /** @description Number of items to skip; default 0 */
     offset?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListAgentsResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateAgentRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CreateAgentResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}": {
  get: {
   parameters: {
    query?: {
     /** @description Parts to add, joined by commas: files, dataset */
     include?: string;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CreateAgentResponse"];
     };
    };
   };
  };
  delete: {
   parameters: {
    header?: {
     /** @description ETag of the agent to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     /** @description ETag of the agent to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeAgentRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CreateAgentResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/checks": {
  get: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentChecksResponse"];
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["PutAgentChecksRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ConsentToAgentMcpToolsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/evaluations": {
  post: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["EvaluateAgentRequest"];
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["EvaluateAgentResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/evaluations/{batchId}": {
  get: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
     /** @description Id of the batch */
     batchId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentEvaluationResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/examples": {
  get: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListAgentExamplesResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/examples/{name}": {
  put: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
     /** @description Name of the example */
     name: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["PutAgentExampleRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["PutAgentExampleResponse"];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
     /** @description Name of the example */
     name: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/executions": {
  get: {
   parameters: {
    query?: {
     /** @description Only in this state; several joined by commas */
     status?: string;
     /** @description Only of this batch */
     batchId?: string;
     /** @description Exactly this example */
     exampleName?: string;
     /** @description Part of the name of the example; case does not matter */
     exampleNameContains?: string;
     /** @description Created then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description Created before then */
     to?: string;
     /** @description Created not before this; ISO 8601 or now()-7d */
     createdAfter?: string;
     /** @description Created not after this; ISO 8601 or now()-7d */
     createdBefore?: string;
     /** @description Completed not before this; ISO 8601 or now()-7d */
     completedAfter?: string;
     /** @description Completed not after this; ISO 8601 or now()-7d */
     completedBefore?: string;
     /** @description State of the feedback, or one of these */
     feedbackStatus?: string;
     /** @description Rating, or one of these; none: without one */
     feedbackRating?: string;
     /** @description With feedback, or without */
     hasFeedback?: boolean;
     /** @description The opposite of hasFeedback */
     noFeedback?: boolean;
     /** @description Something is expected: JSON or files */
     hasExpected?: boolean;
     /** @description JSON is expected */
     hasExpectedJson?: boolean;
     /** @description Files are expected */
     hasExpectedFiles?: boolean;
     /** @description Part of the feedback; case does not matter */
     feedbackBodyContains?: string;
     /** @description Feedback began not before this; ISO 8601 or now()-7d */
     feedbackCreatedAfter?: string;
     /** @description Feedback began not after this; ISO 8601 or now()-7d */
     feedbackCreatedBefore?: string;
     /** @description Feedback changed not before this; ISO 8601 or now()-7d */
     feedbackUpdatedAfter?: string;
     /** @description Feedback changed not after this; ISO 8601 or now()-7d */
     feedbackUpdatedBefore?: string;
     /** @description Feedback resolved not before this; ISO 8601 or now()-7d */
     feedbackResolvedAfter?: string;
     /** @description Feedback resolved not after this; ISO 8601 or now()-7d */
     feedbackResolvedBefore?: string;
     /** @description Became an example */
     promotedToExample?: boolean;
     /** @description Became this example */
     promotedExampleName?: string;
     /** @description Created after feedback of the agent was resolved last */
     sinceLastResolved?: boolean;
     /** @description Parts to add, joined by commas: feedback, expected, files, startedBy */
     include?: string;
     /** @description Sort key */
     sort?: "createdAt" | "completedAt" | "status" | "exampleName";
     /** @description Sort order */
     order?: "asc" | "desc";
     /** @description Maximum number of executions to examine with filters: 1 to 100,000, of which at most 10,000 are examined; default 5,000 */
     scanLimit?: number;
     /** @description Maximum number of items, 1 to 500; default 50 */
     limit?: number;
     /** @description Number of items to skip; default 0 */
     offset?: number;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListAgentExecutionsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/experiments": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of items, 1 to 100; default 50 */
     limit?: number;
     /** @description Number of items to skip; default 0 */
     offset?: number;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListAgentExperimentsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["StartAgentExperimentRequest"];
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["StartAgentExperimentResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/experiments/{experimentId}": {
  get: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
     /** @description Id (awp_…) */
     experimentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentExperimentResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/files": {
  get: {
   parameters: {
    query?: {
     /** @description Safe relative path */
     path?: string;
     /** @description Only paths with this prefix */
     prefix?: string;
     /** @description Version of the workspace (default: current) */
     version?: number;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       files: components["schemas"]["AgentFile"][];
      } | {
       file: {
        content?: string;
        contentBase64?: string;
        contentType: string;
        /** @description RFC 3339 with milliseconds */
        createdAt: string;
        path: string;
        sha256: string;
        /** @description Bytes */
        size: number;
        /** @description Version of the workspace that contains it */
        version: number;
       };
      };
     };
    };
   };
  };
  put: {
   parameters: {
    query: {
     /** @description Safe relative path */
     path: string;
     /** @description Only paths with this prefix */
     prefix?: string;
    };
    header?: {
     /** @description ETag of the file to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["PutAgentFileRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["PutAgentFileResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["PutAgentFilesRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["PutAgentFilesResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/mcp-tools": {
  get: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListAgentMcpToolsResponse"];
     };
    };
   };
  };
  put: {
   parameters: {
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ConsentToAgentMcpToolsRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ConsentToAgentMcpToolsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/run": {
  post: {
   parameters: {
    query?: {
     /** @description Seconds to wait for the end, at most 600 */
     wait_for_completion?: number;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["RunAgentRequest"];
     "multipart/form-data": components["schemas"]["RunAgentForm"];
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["RunAgentResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/usage": {
  get: {
   parameters: {
    query?: {
     /** @description Created not before this; ISO 8601 or now()-7d; default now()-30d */
     from?: string;
     /** @description Created not after this; ISO 8601 or now(); default now() */
     to?: string;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentUsageResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/versions": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of items, 1 to 100; default 50 */
     limit?: number;
     /** @description Number of items to skip; default 0 */
     offset?: number;
    };
    path: {
     /** @description Id (awf_…) or slug of the agent */
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListAgentVersionsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{id}/access": {
  get: {
   parameters: {
    path: {
     /** @description Id or slug of the agent */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetWorkflowAccessResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{id}/grants": {
  get: {
   parameters: {
    path: {
     /** @description Id or slug of the agent */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowGrantsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id or slug of the agent */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["GrantWorkflowRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowGrantsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/{id}/grants/{grant}": {
  delete: {
   parameters: {
    path: {
     /** @description Id or slug of the agent */
     id: string;
     /** @description Id (grant_…) of the grant */
     grant: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}": {
  get: {
   parameters: {
    query?: {
     /** @description Parts to add, joined by commas: feedback, expected, files, startedBy */
     include?: string;
     /** @description Seconds to wait for the end, at most 60; by default 0 */
     wait_for_completion?: number;
    };
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/cancel": {
  post: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/expected": {
  get: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetExpectedOutcomeResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["AddExpectedFileRequest"];
     "multipart/form-data": components["schemas"]["AddExpectedFileForm"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["AgentExecutionExpectedFilesItem"];
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/expected/{filename}": {
  get: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
     /** @description Path of the file, with %2F for / */
     filename: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
     /** @description Path of the file, with %2F for / */
     filename: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
  patch: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
     /** @description Path of the file, with %2F for / */
     filename: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["RenameExpectedFileRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["AgentExecutionExpectedFilesItem"];
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/feedback": {
  get: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentFeedbackResponse"];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentFeedbackResponse"];
     };
    };
   };
  };
  patch: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["GiveAgentFeedbackRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetAgentFeedbackResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/files/{kind}/{filename}": {
  get: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
     /** @description Kind of file */
     kind: "input" | "output" | "issues" | "trace";
     /** @description Its path, with %2F for / */
     filename: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/promote": {
  post: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["PromoteAgentExecutionRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["PutAgentExampleResponse"];
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/rerun": {
  post: {
   parameters: {
    path: {
     /** @description Id of the execution (exec_…) */
     executionId: string;
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["RerunAgentExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/events": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CloudEvent"] | components["schemas"]["CloudEvent"][];
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["SendExecutionEventsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/executions": {
  get: {
   parameters: {
    query?: {
     /** @description Only executions of these kinds; default: all kinds that the caller may read */
     kind?: string;
     /** @description Statuses, joined by commas */
     status?: string;
     /** @description Only executions of this workflow: id or slug */
     workflow?: string;
     /** @description Only executions of this agent: id or slug */
     agent?: string;
     /** @description Created then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description Created before then */
     to?: string;
     /** @description The older name of `from` */
     fromDate?: string;
     /** @description Like `to`, but inclusive; a date without a time means the whole day */
     toDate?: string;
     /** @description Parts to add, joined by commas: startedBy */
     include?: string;
     /** @description Maximum number of results, 1 to 100; default 50 */
     limit?: number;
     /** @description Number of results to skip; default 0 */
     offset?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListExecutionsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}": {
  get: {
   parameters: {
    query?: {
     /** @description Parts to add, joined by commas: startedBy */
     include?: string;
     /** @description Seconds to wait for the end, at most 60; by default 0 */
     wait_for_completion?: number;
    };
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Execution"];
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/cancel": {
  post: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CancelExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/events": {
  get: {
   parameters: {
    query?: {
     /** @description Id of the last received event, for clients that cannot send Last-Event-ID */
     after?: string;
    };
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/resume": {
  post: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ResumeExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/signals": {
  post: {
   parameters: {
    query?: {
     /** @description Seconds to wait for the reply, at most 60; by default 0 */
     wait_for_reply?: number;
    };
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CloudEvent"];
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["SignalExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/signals/{eventId}": {
  get: {
   parameters: {
    query?: {
     /** @description Seconds to wait for the reply, at most 60; by default 0 */
     wait_for_reply?: number;
    };
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
     /** @description Id of the event */
     eventId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SignalExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/suspend": {
  post: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SuspendExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/suspension": {
  get: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetExecutionSuspensionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/paused-workflows": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListPausedWorkflowsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/secrets": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListSecretsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/secrets/{name}": {
  put: {
   parameters: {
    path: {
     /** @description Name of the secret */
     name: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["SetSecretRequest"];
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
  delete: {
   parameters: {
    path: {
     /** @description Name of the secret */
     name: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/v1/teams": {
  get: {
   parameters: {
    query?: {
     /** @description Only teams that the caller is a member of */
     mine?: boolean;
     /** @description Maximum number of results, 1 to 100; default 50 */
     limit?: number;
     /** @description Number of results to skip; default 0 */
     offset?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListTeamsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/waits": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of results, 1 to 1,000; default 100 */
     limit?: number;
     /** @description `nextCursor` of the previous page */
     cursor?: string;
     /** @description Only waits of this execution */
     execution?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWaitsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/waits/count": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CountWaitsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/waits/decide": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["DecideWaitRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["DecideWaitResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflow-schema": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       [key: string]: unknown;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows": {
  get: {
   parameters: {
    query?: {
     /** @description Part of the name, case-insensitive */
     search?: string;
     /** @description Exactly this name */
     name?: string;
     /** @description Only of this kind, or one of these */
     kind?: string;
     /** @description Deleted ones too */
     includeArchived?: boolean;
     /** @description Include the titles of the current versions, which `search` then covers too */
     titles?: boolean;
     /** @description Maximum number of results, 1 to 100; default 50 */
     limit?: number;
     /** @description Number of results to skip; default 0 */
     offset?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}": {
  get: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetWorkflowResponse"];
     };
    };
   };
  };
  put: {
   parameters: {
    header?: {
     /** @description ETag of the workflow to change */
     "if-match"?: string;
    };
    path: {
     /** @description Slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ReleaseWorkflowRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ReleaseWorkflowResponse"];
     };
    };
   };
  };
  delete: {
   parameters: {
    header?: {
     /** @description ETag of the workflow to change */
     "if-match"?: string;
    };
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/v1/workflows/{id}/access": {
  get: {
   parameters: {
    path: {
     /** @description Id or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetWorkflowAccessResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/bulk-actions": {
  get: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListBulkActionsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CountBulkActionRequest"];
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["StartBulkActionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/bulk-actions/{actionId}": {
  get: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
     /** @description Id (bulk_…) of the bulk action */
     actionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartBulkActionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/bulk-actions/{actionId}/stop": {
  post: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
     /** @description Id (bulk_…) of the bulk action */
     actionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartBulkActionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/bulk-actions/count": {
  post: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CountBulkActionRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CountBulkActionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/dry-run": {
  post: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["DryRunWorkflowRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["DryRunWorkflowResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/executions": {
  get: {
   parameters: {
    query?: {
     /** @description Statuses, joined by commas */
     status?: string;
     /** @description Created then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w) */
     from?: string;
     /** @description Created before then */
     to?: string;
     /** @description The older name of `from` */
     fromDate?: string;
     /** @description Like `to`, but inclusive; a date without a time means the whole day */
     toDate?: string;
     /** @description Of this example */
     exampleId?: string;
     /** @description Parts to add, joined by commas: startedBy */
     include?: string;
     /** @description Maximum number of results, 1 to 100; default 50 */
     limit?: number;
     /** @description Number of results to skip; default 0 */
     offset?: number;
    };
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowExecutionsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/grants": {
  get: {
   parameters: {
    path: {
     /** @description Id or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowGrantsResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     /** @description Id or slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["GrantWorkflowRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowGrantsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/grants/{grant}": {
  delete: {
   parameters: {
    path: {
     /** @description Id or slug of the workflow */
     id: string;
     /** @description Id (grant_…) of the grant */
     grant: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/v1/workflows/{id}/graph": {
  get: {
   parameters: {
    query?: {
     /** @description Id, tag or latest */
     version?: string;
    };
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetWorkflowGraphResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/limits": {
  get: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetWorkflowLimitsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/pause": {
  post: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @description shown with the workflow and in the audit log */
      reason?: string;
     } | null;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetWorkflowLimitsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/resume": {
  post: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetWorkflowLimitsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/rollback": {
  post: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["RollbackWorkflowRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ReleaseWorkflowResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/run": {
  post: {
   parameters: {
    query?: {
     /** @description Id or tag of a version, or latest */
     version?: string;
     /** @description Seconds to wait for the end, at most 60; by default 0 */
     wait_for_completion?: number;
    };
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["RunWorkflowRequest"];
     "multipart/form-data": components["schemas"]["RunWorkflowForm"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["RunWorkflowResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/tasks": {
  get: {
   parameters: {
    query?: {
     /** @description Id, tag or latest */
     version?: string;
    };
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowTasksResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/triggers": {
  get: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowTriggersResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/triggers/{kind}": {
  patch: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
     /** @description schedule: at fixed times. after: after the end of the last execution. event: on matching events. webhook: on a signed request */
     kind: "schedule" | "after" | "event" | "webhook";
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeWorkflowTriggerRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Trigger"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/versions": {
  get: {
   parameters: {
    query?: {
     /** @description Maximum number of results, 1 to 100; default 50 */
     limit?: number;
     /** @description Number of results to skip; default 0 */
     offset?: number;
    };
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkflowVersionsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/versions/{version}/diff": {
  get: {
   parameters: {
    query?: {
     /** @description Id, tag or latest of the other */
     with?: string;
    };
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
     /** @description Id, tag or latest */
     version: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CompareWorkflowVersionsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/webhook": {
  put: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["OpenWorkflowWebhookResponse"];
     };
    };
   };
  };
  post: {
   parameters: {
    header?: {
     /** @description t=<seconds since 1970>,v1=<64 hexadecimal digits> */
     "x-trapline-signature"?: string;
    };
    path: {
     /** @description The slug */
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": unknown;
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["DryRunWorkflowResponse"];
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     /** @description Id (wf_…) or slug of the workflow */
     id: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/v1/workflows/check": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CheckWorkflowRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CheckWorkflowResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}": {
  get: {
   parameters: {
    query?: {
     /** @description Whether to include every step */
     includeSteps?: boolean;
     /** @description Parts to add, joined by commas: startedBy */
     include?: string;
     /** @description Seconds to wait for the end, at most 60; by default 0 */
     wait_for_completion?: number;
    };
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["WorkflowExecution"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}/cancel": {
  post: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CancelExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}/files/{filename}": {
  get: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
     /** @description Name of the input, with %2F for / */
     filename: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}/limits": {
  get: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetExecutionLimitsResponse"];
     };
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}/rerun": {
  post: {
   parameters: {
    path: {
     /** @description Id (exec_…) of the execution */
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @description path or name of the step to begin at (the first step with that name). The results of earlier steps are reused */
      fromStep?: string;
     } | null;
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["RerunWorkflowExecutionResponse"];
     };
    };
   };
  };
 };
};

export type webhooks = Record<string, never>;

export type components = {
 schemas: {
  AddCaseDetectionsRequest: {
   /** @description At most 1,000 */
   detections: string[];
  };
  AddCaseDetectionsResponse: {
   /** @description In the order of the request */
   results: ({
     id: string;
     /** @enum {string} */
     outcome: "added" | "present" | "not_found";
    })[];
  };
  AddCaseFileForm: {
   /** @description The file, at most 64 MiB */
   file: string;
  };
  AddExpectedFileForm: {
   /** @description The file */
   file: string;
   /** @description Name of the expected file; default: its own name */
   name?: string;
  };
  AddExpectedFileRequest: {
   /** @description Name of the expected file; default: the same name */
   expectedName?: string;
   /** @description Output file of the execution */
   outputFileName: string;
  };
  Agent: {
   archived: boolean;
   config: {
    [key: string]: unknown;
   };
   /** @description RFC 3339 with milliseconds */
   createdAt: string;
   dataset?: components["schemas"]["AgentExample"][];
   description: string;
   files?: components["schemas"]["AgentFile"][];
   /** @description `awf_…` */
   id: string;
   /** @description Hash of all paths and contents of the workspace */
   latestCommit: string | null;
   /** @description Of the workspace */
   latestVersion: number | null;
   name: string;
   slug: string;
   /**
   * @description source_missing: the workspace lacks the script or instructions that the runtime needs
   * @enum {string}
   */
   sourceIntegrity: "healthy" | "source_missing" | "unregistered";
   stats: components["schemas"]["AgentStats"];
   /** @description RFC 3339 with milliseconds */
   updatedAt: string;
   /** @enum {string} */
   visibility: "private" | "shared";
  };
  AgentExample: {
   /**
   * @description How the output is compared: equal to the expected value, containing it, or valid against the expected JSON Schema
   * @enum {string}
   */
   comparison: "exact" | "subset" | "schema";
   /** @description RFC 3339 with milliseconds */
   createdAt: string;
   expected: unknown;
   files: components["schemas"]["AgentExampleFilesItem"][];
   id: string;
   input: unknown;
   name: string;
   sourceExecutionId: string | null;
   /** @description RFC 3339 with milliseconds */
   updatedAt: string;
  };
  AgentExampleFilesItem: {
   /** @enum {string} */
   kind: "input" | "expected";
   name: string;
   size: number;
  };
  AgentExecution: {
   agentId: string;
   batchId: string | null;
   /** @description RFC 3339 with milliseconds */
   cancelRequestedAt: string | null;
   /** @description RFC 3339 with milliseconds */
   completedAt: string | null;
   /** @description Counts such as inputTokens, outputTokens and toolCalls; `credits` is omitted if the cost is unknown */
   cost: {
    [key: string]: number;
   } | null;
   /** @description RFC 3339 with milliseconds */
   createdAt: string;
   error: string | null;
   /** @description For a run of an example: comparison with the expected output */
   evaluation: ({
    /** @description Results of the checks of the agent */
    checks?: components["schemas"]["EvaluationChecksItem"][];
    /** @enum {string} */
    comparison: "exact" | "subset" | "schema";
    /** @description At most 50 */
    differences: components["schemas"]["EvaluationDifferencesItem"][];
    /** @description null: no check failed, but at least one was not run */
    passed: boolean | null;
   }) | null;
   exampleId: string | null;
   exampleName: string | null;
   expected?: unknown;
   expectedFiles?: components["schemas"]["AgentExecutionExpectedFilesItem"][];
   feedback?: ({
    body: string;
    /** @description RFC 3339 with milliseconds */
    createdAt: string | null;
    createdBy: string | null;
    createdByEmail: string | null;
    promotedExampleName: string | null;
    /** @enum {string|null} */
    rating: "pass" | "fail" | "partial" | null;
    /** @description RFC 3339 with milliseconds */
    resolvedAt: string | null;
    resolvedBy: string | null;
    resolvedByEmail: string | null;
    resolvedBySessionId: string | null;
    /** @enum {string|null} */
    status: "open" | "resolved" | "ignored" | null;
    /** @description RFC 3339 with milliseconds */
    updatedAt: string | null;
   }) | null;
   files?: components["schemas"]["AgentExecutionFilesItem"][];
   /** @description `exec_…` */
   id: string;
   /** @description Input of the run; omitted in lists */
   input?: unknown;
   model: string | null;
   output: unknown;
   promotedExampleName: string | null;
   schemaValid: boolean | null;
   sourceExecutionId: string | null;
   /** @description RFC 3339 with milliseconds */
   startedAt: string | null;
   /** @description With include=startedBy: the user, key, trigger or execution that started it; null: unknown */
   startedBy?: ({
    /** @description Execution whose step started this one */
    executionId: string | null;
    /** @description console, key, operator, schedule, webhook, event, detection, workflow, agent … */
    how: string;
    /** @description Label of the API key, visible to its owner and to administrators */
    keyLabel: string | null;
    /** @description Username, for a start in the console or by a key; null: the account was deleted */
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   status: string;
   workspaceVersion: number;
  };
  AgentExecutionExpectedFilesItem: {
   name: string;
  };
  AgentExecutionFilesItem: {
   /** @description Media type, detected from the content */
   contentType: string;
   /** @description File name, as the sender gave it */
   filename?: string;
   /** @enum {string} */
   kind: "input" | "output" | "issues" | "trace";
   /** @description For an input: the name for its download */
   name: string;
   size: number;
  };
  AgentFile: {
   contentType: string;
   /** @description RFC 3339 with milliseconds */
   createdAt: string;
   path: string;
   sha256: string;
   /** @description Bytes */
   size: number;
   /** @description Version of the workspace that contains it */
   version: number;
  };
  AgentStats: {
   /** @description Average cost of the runs with a known cost */
   avgCredits: number | null;
   avgDurationMs: number | null;
   exampleCount: number;
   /** @description RFC 3339 with milliseconds */
   lastExecutionAt: string | null;
   totalExecutions: number;
  };
  ApproveExceptionRequestRequest: {
   /** @description Reason, shown to the requester and in the audit log */
   reason: string;
  };
  ApproveExceptionRequestResponse: {
   createdAt: string;
   decidedAt: string | null;
   decidedBy: string | null;
   decidedByName: string | null;
   decisionReason: string | null;
   /** @description Detection that the request was made from */
   detection: string | null;
   /** @description Exception that the approval created */
   exception: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   /** @description Whether the caller made the request, with any of their keys or sessions */
   own: boolean;
   program: string | null;
   reason: string;
   requestedBy: string;
   /** @description Username at the time of the request */
   requesterName: string | null;
   rule: string | null;
   /** @description Number of open detections that were silenced immediately; null: they will be silenced within seconds */
   silenced: number | null;
   /** @enum {string} */
   state: "open" | "approved" | "rejected" | "withdrawn";
  };
  AttackTechnique: {
   /** @description Name of the technique */
   name: string;
   /** @description ATT&CK tactic id, e.g. TA0002 */
   tactic: string;
   /** @description ATT&CK technique id, e.g. T1203 */
   technique: string;
  };
  BacktestRuleRequest: {
   /** @description null: the value of the rules file, otherwise on */
   enabled?: boolean | null;
   /** @description Start of the time range (inclusive), RFC 3339; default 30 days before `to` */
   from?: string;
   /** @description Threshold for each name; null: the value of the rules file, otherwise the default */
   thresholds?: {
    [key: string]: (number | null) | (boolean | null) | (string | null);
   };
   /** @description End of the time range (exclusive), RFC 3339; default now */
   to?: string;
  };
  BacktestRuleResponse: {
   /** @description Detections that only the proposed settings find, at most 20 */
   added: components["schemas"]["BacktestRuleResponseAddedItem"][];
   /** @description Episodes that both settings find, but as different detections of the same program and register that overlap in time. If one side merges or splits an episode, the other has several detections. At most 20 */
   changed: {
     /** @description Detections of the episode with the proposed settings */
     after: components["schemas"]["BacktestRuleResponseAddedItem"][];
     /** @description Detections of the episode with the current settings */
     before: components["schemas"]["BacktestRuleResponseAddedItem"][];
    }[];
   /** @description false if the back-test stopped early because of its limits */
   complete: boolean;
   /** @description Result with the current settings */
   current: components["schemas"]["BacktestRuleResponseCurrent"];
   /** @description Number of tested events */
   events: number;
   /** @description Start of the tested range; later than requested if there were too many events */
   from: string;
   /** @description Result with the proposed settings */
   proposed: components["schemas"]["BacktestRuleResponseCurrent"];
   /** @description Detections that only the current settings find, at most 20 */
   removed: components["schemas"]["BacktestRuleResponseAddedItem"][];
   /** @description End of the tested range, exclusive */
   to: string;
  };
  BacktestRuleResponseAddedItem: {
   crashes: number;
   /** @description Time of the first evidence, RFC 3339 */
   firstSeen: string;
   hostname: string | null;
   id: string;
   /** @description Time of the latest evidence, RFC 3339 */
   lastSeen: string;
   message: string;
   procname: string | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   [key: string]: unknown;
  };
  BacktestRuleResponseCurrent: {
   /** @description Number of detections of the rule */
   detections: number;
   /** @description Number of these detections that match an exception */
   silenced: number;
  };
  BacktestUserRuleRequest: {
   /** @description Start of the time range (inclusive), RFC 3339; default 30 days before `to` */
   from?: string;
   /** @description Rule file in Sigma 2 YAML: one rule, or several rules with a correlation */
   source: string;
   /** @description End of the time range (exclusive), RFC 3339; default now */
   to?: string;
  };
  BacktestUserRuleResponse: {
   /** @description false if the back-test stopped early because of its limits */
   complete: boolean;
   /** @description Number of detections of the rule */
   detections: number;
   /** @description Number of events in the requested range */
   events: number;
   /** @description Sample of at most 20 detections */
   found: components["schemas"]["BacktestRuleResponseAddedItem"][];
   /** @description Start of the tested range; later than requested if there were too many events */
   from: string;
   /** @description Number of these events that the rule evaluated. ClickHouse filters out events that cannot match */
   judged: number;
   /** @description Number of these detections that match an exception */
   silenced: number;
   /** @description End of the tested range, exclusive */
   to: string;
  };
  CancelExecutionResponse: {
   executionId: string;
   /** @enum {string} */
   status: "cancelled" | "cancellation-requested" | "already-terminal";
   /** @enum {string} */
   wasStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  Case: {
   /** @description Time at which the case was first in progress, closed or assigned */
   acknowledgedAt: string | null;
   /** @description Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned */
   assignee: string | null;
   /** @description Campaign detection that opened the case; null: a user opened it */
   campaign: string | null;
   /** @description Time of the last change of its fields, detections, tasks or files */
   changedAt: string;
   closedAt: string | null;
   createdAt: string;
   /** @description user:<id>, key:<keyId>, operator or system */
   createdBy: string;
   /** @description Markdown; null: none */
   description: string | null;
   /** @description Number of linked detections */
   detections: number;
   /** @description ETag for If-Match. It covers the fields of the case, but not its detections, tasks and files */
   etag: string;
   /** @description Id of a case */
   id: string;
   /** @description Number to refer to the case by: 1, 2, 3 …; numbers can be missing */
   number: number;
   /**
   * @description Reason for closing; null: the case is not closed
   * @enum {string|null}
   */
   reason: "resolved" | "false_positive" | "benign" | "duplicate" | null;
   /**
   * @description Severity of the case, which can differ from that of its detections
   * @enum {string}
   */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /**
   * @description Status of the work
   * @enum {string}
   */
   status: "open" | "in_progress" | "closed";
   /** @description Number of tasks */
   tasks: number;
   /** @description Number of completed tasks */
   tasksDone: number;
   /** @description Seconds from opening to acknowledgement; null: not yet acknowledged */
   timeToAcknowledge: number | null;
   /** @description Seconds from opening to the last closing; null: the case is not closed */
   timeToClose: number | null;
   /** @description Title of the case */
   title: string;
  };
  CaseFile: {
   addedAt: string;
   addedBy: string;
   /** @description File name, as the sender gave it */
   filename: string;
   /** @description Id of a file of a case */
   id: string;
   /** @description SHA-256 of the content, hexadecimal */
   sha256: string;
   /** @description Bytes */
   size: number;
   username: string | null;
  };
  CaseHappening: {
   actor: string;
   at: string;
   /** @description Depends on the kind: `before` and `after` of changed fields, `detections`, `task`, `file`, `execution`, or `comment` with its id and text */
   data: {
    [key: string]: unknown;
   };
   /** @enum {string} */
   kind: "created" | "changed" | "detections_added" | "detection_removed" | "task_added" | "task_changed" | "task_removed" | "file_added" | "file_removed" | "execution_linked" | "comment";
   username: string | null;
  };
  CaseTask: {
   assignee: string | null;
   done: boolean;
   /** @description Id of a task */
   id: string;
   /** @description Title of the task */
   title: string;
  };
  CaseTemplate: {
   changedAt: string;
   changedBy: string;
   /** @description ETag for If-Match */
   etag: string;
   /** @description Id of a template of cases */
   id: string;
   /** @description Unique, ignoring case */
   name: string;
   /**
   * @description Severity of the case, which can differ from that of its detections
   * @enum {string}
   */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @description Titles of the tasks, in order */
   tasks: string[];
   /** @description Title of the case */
   title: string;
  };
  ChangeAgentRequest: {
   /** @description An archived agent is not run and not listed */
   archived?: boolean;
   /** @description How the agent runs */
   config?: components["schemas"]["CreateAgentRequestConfig"];
   description?: string;
   name?: string;
   /** @enum {string} */
   visibility?: "private" | "shared";
  };
  ChangeCaseRequest: {
   /** @description Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned */
   assignee?: string | null;
   /** @description Markdown; null: none */
   description?: string | null;
   /**
   * @description Required when the case is closed, and not allowed otherwise
   * @enum {string|null}
   */
   reason?: "resolved" | "false_positive" | "benign" | "duplicate" | null;
   /**
   * @description Severity of the case, which can differ from that of its detections
   * @enum {string}
   */
   severity?: "info" | "low" | "medium" | "high" | "critical";
   /**
   * @description Status of the work
   * @enum {string}
   */
   status?: "open" | "in_progress" | "closed";
   /** @description Title of the case */
   title?: string;
  };
  ChangeCaseTaskRequest: {
   /** @description Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned */
   assignee?: string | null;
   /** @description Whether the task is completed */
   done?: boolean;
   /** @description Title of the task */
   title?: string;
  };
  ChangeDetectionsRequest: {
   /** @description With a filter: excludes later detections; value from GET /api/detections/count */
   asOf?: string;
   /** @description Change that is applied to all of them */
   change: components["schemas"]["DecisionChange"];
   /** @description With a filter: `nextCursor` of the previous response */
   cursor?: string;
   /** @description Detections, at most 1,000 */
   detections?: {
     /** @description ETag of the detection. The change is applied only if it still matches, like If-Match */
     etag?: string;
     /** @description Id of a detection */
     id: string;
     /** @description Triage fields as the client last saw them. The change is applied only if they are unchanged */
     seen?: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
    }[];
   /** @description Instead of `detections`: all detections that match these filters of the list, one page per request */
   filter?: {
    /** @description assigned analyst, or several; null: not assigned */
    assignee?: string;
    /** @description id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign */
    campaign?: string;
    /** @description exact container id, or several */
    container?: string;
    /** @description id of a detection; for events: the evidence of this detection */
    detection?: string;
    /** @description excludes records with this assignee, or with one of several; records without a value are included */
    "exclude.assignee"?: string;
    /** @description excludes records with this campaign, or with one of several; records without a value are included */
    "exclude.campaign"?: string;
    /** @description excludes records with this container, or with one of several; records without a value are included */
    "exclude.container"?: string;
    /** @description excludes records with this executable, or with one of several; records without a value are included */
    "exclude.executable"?: string;
    /** @description excludes records with this file, or with one of several; records without a value are included */
    "exclude.file"?: string;
    /** @description excludes records with this hostname, or with one of several; records without a value are included */
    "exclude.hostname"?: string;
    /** @description excludes records with this parent, or with one of several; records without a value are included */
    "exclude.parent"?: string;
    /** @description excludes records with this pod, or with one of several; records without a value are included */
    "exclude.pod"?: string;
    /** @description excludes records with this procname, or with one of several; records without a value are included */
    "exclude.procname"?: string;
    /** @description excludes records with this register, or with one of several; records without a value are included */
    "exclude.register"?: string;
    /** @description excludes records with this rule, or with one of several; records without a value are included */
    "exclude.rule"?: string;
    /** @description excludes records with this severity, or with one of several; records without a value are included */
    "exclude.severity"?: string;
    /** @description excludes records with this status, or with one of several; records without a value are included */
    "exclude.status"?: string;
    /** @description excludes records with this unit, or with one of several; records without a value are included */
    "exclude.unit"?: string;
    /** @description excludes records with this verdict, or with one of several; records without a value are included */
    "exclude.verdict"?: string;
    /** @description exact executable, or several */
    executable?: string;
    /** @description exact mapped file, or several */
    file?: string;
    /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
    from?: string;
    /** @description exact host, or several; includes campaigns that reached the host */
    hostname?: string;
    /** @description exact executable of the parent process, or several; its name if the executable is unknown */
    parent?: string;
    /** @description exact Kubernetes pod UID, or several */
    pod?: string;
    /** @description exact program, or several */
    procname?: string;
    /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last */
    q?: string;
    /** @description exact register, or several */
    register?: string;
    /** @description rule id, or several */
    rule?: string;
    /** @description severity, or several */
    severity?: string;
    /** @description state, or several */
    status?: string;
    /** @description before this time, RFC 3339 or now()-7d */
    to?: string;
    /** @description exact systemd unit, or several */
    unit?: string;
    /** @description verdict, or several; null: no verdict */
    verdict?: string;
   };
   /** @description With a filter: number of detections in this request */
   limit?: number;
  };
  ChangeDetectionsRequestDetectionsItemSeen: {
   /** @description Assigned analyst: username of an account with the role analyst or admin; null: not assigned */
   assignee?: string | null;
   /** @description Note of the analyst; null: none */
   note?: string | null;
   /**
   * @description Triage status
   * @enum {string}
   */
   status?: "new" | "acknowledged" | "closed";
   /**
   * @description Verdict of the triage; null: not decided
   * @enum {string|null}
   */
   verdict?: "true_positive" | "false_positive" | "benign" | null;
  };
  ChangeDetectionsResponse: {
   /** @description Cursor of the next page of the filter; null on the last page, or if the request names detections */
   nextCursor: string | null;
   /** @description In the order of the request or list */
   results: components["schemas"]["ChangeDetectionsResponseResultsItem"][];
  };
  ChangeDetectionsResponseResultsItem: {
   /** @description Current state; null: the detection does not exist */
   etag: string | null;
   id: string;
   /**
   * @description changed_meanwhile: the detection no longer matched its ETag or `seen`, so nothing was changed
   * @enum {string}
   */
   outcome: "updated" | "unchanged" | "changed_meanwhile" | "not_found";
  };
  ChangeExceptionPolicyRequest: {
   /**
   * @description create: analysts create exceptions; request: they request them, and an administrator decides
   * @enum {string}
   */
   analysts: "create" | "request";
  };
  ChangeOutputRequest: {
   enabled?: boolean;
   /** @description Replaces the whole filter */
   filter?: components["schemas"]["OutputFilter"];
   /** @description Unique, ignoring case */
   name?: string;
   /** @description Replaces the named secrets; null removes one. A new receiver needs its secrets again */
   secrets?: {
    [key: string]: string | null;
   };
   /** @description Replaces all settings */
   settings?: {
    [key: string]: unknown;
   };
  };
  ChangeRuleRequest: {
   /** @description null: the value of the rules file, otherwise on */
   enabled?: boolean | null;
   /** @description Threshold for each name; null: the value of the rules file, otherwise the default */
   thresholds?: {
    [key: string]: (number | null) | (boolean | null) | (string | null);
   };
  };
  ChangeUserRuleRequest: {
   /** @description false: the rule is disabled */
   enabled: boolean;
  };
  ChangeWorkflowTriggerRequest: {
   /** @description True if it starts executions */
   enabled: boolean;
  };
  CheckWorkflowRequest: {
   /** @description a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB */
   yamlContent: string;
  };
  CheckWorkflowResponse: {
   issues: ({
     code: string;
     column?: number;
     field: string;
     line?: number;
     message: string;
     /** @enum {string} */
     severity: "error" | "warning";
    })[];
   /** @description Empty if the definition is invalid */
   tasks: ({
     cases: components["schemas"]["ListWorkflowTasksResponseDataItemCasesItem"][];
     /** @description Condition: the task is skipped unless this expression is true */
     condition: string | null;
     /** @description Short label of what the task calls, iterates or runs */
     detail: string | null;
     /**
     * @description `sequence`: the inner tasks, then the next task. `parallel`: the inner tasks run concurrently. `attempt`: `try`, and `catch` after an error. `choice`: one of the cases. `end`: no task follows
     * @enum {string}
     */
     flow: "sequence" | "parallel" | "attempt" | "choice" | "end";
     /** @description Key of the task: set, call, for … */
     kind: string;
     name: string;
     /** @description Next task by name, `end` or `exit`; null for the next task of the list */
     next: string | null;
     /** @description Path of the task that contains it; null for a task of the workflow itself */
     parent: string | null;
     /** @description Path of its steps in executions, without loop indexes */
     path: string;
     /** @description Keys and indexes that lead to the task in the definition */
     place: (string | number)[];
     /** @description List of the parent that contains the task: `do`, `try`, `catch`, `foreach`, `branch`; null: it has no parent */
     role: string | null;
    })[];
   valid: boolean;
  };
  CloudEvent: {
   data?: unknown;
   datacontenttype?: string;
   dataschema?: string;
   id: string;
   source: string;
   /** @enum {string} */
   specversion: "1.0";
   subject?: string;
   time?: string;
   type: string;
   [key: string]: unknown;
  };
  Comment: {
   /** @description Author: user:<id>, key:<keyId> or operator */
   actor: string;
   createdAt: string;
   /** @description null: not deleted */
   deletedAt: string | null;
   /** @description null: never edited */
   editedAt: string | null;
   id: string;
   /** @description Names that the text mentions, without `@` */
   mentions: string[];
   /** @description Whether the caller wrote it, and may edit and delete it */
   own: boolean;
   /** @description Markdown; null: the comment was deleted */
   text: string | null;
   /** @description Username of the author at that time */
   username: string | null;
  };
  CompareWorkflowVersionsResponse: {
   /** @description unified diff; empty if the versions are equal */
   diff: string;
   /** @description tag */
   from: string;
   /** @description tag */
   to: string;
  };
  ConsentToAgentMcpToolsRequest: {
   tools: {
     hash: string;
     server: string;
     tool: string;
    }[];
  };
  ConsentToAgentMcpToolsResponse: {
   /** @enum {boolean} */
   ok: true;
  };
  CountBulkActionRequest: {
   /** @enum {string} */
   action: "cancel" | "replay";
   /** @description number of executions that the user confirmed. If more executions match now, the server changes nothing and responds with 400 */
   expected?: number;
   /** @description created at or after this time */
   from?: string;
   /** @description cancel: unfinished statuses, default all of them. replay: finished statuses, default failed */
   statuses?: ("created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected")[];
   /** @description created at or before this time */
   to?: string;
   /**
   * @description replay: the current version (default), or the version of the original execution
   * @enum {string}
   */
   version?: "latest" | "same";
  };
  CountBulkActionResponse: {
   /** @description executions that the filter chooses, counted up to 10001 */
   count: number;
   /** @description maximum number of executions for a bulk action */
   max: number;
  };
  CountDetectionsResponse: {
   /** @description Time of the count. Pass it to a bulk change to change the same detections */
   asOf: string;
   /** @description Number of detections that match the filters */
   detections: number;
  };
  CountWaitsResponse: {
   count: number;
  };
  CreateAgentRequest: {
   /** @description How the agent runs */
   config?: components["schemas"]["CreateAgentRequestConfig"];
   description?: string;
   /** @description Display name */
   name: string;
   /** @description Unique name for URLs */
   slug: string;
   /**
   * @description shared: all users who may run agents may run this one
   * @enum {string}
   */
   visibility?: "private" | "shared";
  };
  CreateAgentRequestConfig: {
   /** @description Script of the workspace; default agent.js */
   entry?: string;
   /** @description JSON Schema that inputs must match */
   inputSchema?: {
    [key: string]: unknown;
   };
   limits?: components["schemas"]["CreateAgentRequestConfigLimits"];
   /** @description Servers of the Model Context Protocol. Each of their tools needs a consent before the agent can use it: PUT …/mcp-tools */
   mcpServers?: {
    [key: string]: components["schemas"]["CreateAgentRequestConfigMcpServersValue"];
   };
   model?: components["schemas"]["CreateAgentRequestConfigModel"];
   /** @description JSON Schema of the output; default the file output.schema.json of the workspace */
   outputSchema?: {
    [key: string]: unknown;
   };
   /** @description Permissions of tools */
   permissions?: components["schemas"]["CreateAgentRequestConfigPermissions"];
   /**
   * @description script: JavaScript of the workspace; model: a language model
   * @enum {string}
   */
   runtime?: "script" | "model";
   /** @description Tools that it is given; without permissions it may use them without restrictions */
   tools?: ("files.list" | "files.read" | "files.write" | "workspace.write" | "detections.list" | "detections.get" | "events.list" | "workflows.run" | "http.fetch")[];
   [key: string]: unknown;
  };
  CreateAgentRequestConfigLimits: {
   computeMs?: number;
   credits?: number;
   memoryMb?: number;
   steps?: number;
   timeMs?: number;
   tokens?: number;
   toolCalls?: number;
   [key: string]: unknown;
  };
  CreateAgentRequestConfigMcpServersValue: {
   /** @description Headers of every request, each with the value of a secret */
   headers?: {
    [key: string]: components["schemas"]["CreateAgentRequestConfigMcpServersValueHeadersValue"];
   };
   /** @description Endpoint of the server (Streamable HTTP), such as https://tools.example.org/mcp */
   url: string;
  };
  CreateAgentRequestConfigMcpServersValueHeadersValue: {
   /** @description Text before the value, such as "Bearer " */
   prefix?: string;
   /** @description Name of a secret of the agent's owner */
   secret: string;
  };
  CreateAgentRequestConfigModel: {
   /** @description Name of the secret that contains the API key */
   apiKeySecret?: string;
   /** @description Endpoint that speaks the OpenAI protocol, such as https://models.example.org/v1 */
   baseUrl?: string;
   /** @description Price of a million tokens in that the endpoint read from its cache; default as other tokens in */
   creditsPerMillionCachedInput?: number;
   /** @description Price of a million tokens in */
   creditsPerMillionInput?: number;
   /** @description Price of a million tokens out */
   creditsPerMillionOutput?: number;
   maxOutputTokens?: number;
   /** @description Name of the model at its endpoint */
   name?: string;
   temperature?: number;
   [key: string]: unknown;
  };
  CreateAgentRequestConfigPermissions: {
   /** @description Who decides about calls that ask */
   approval?: components["schemas"]["CreateAgentRequestConfigPermissionsApproval"];
   /**
   * @description Of calls that no rule names; default deny
   * @enum {string}
   */
   default?: "allow" | "ask" | "deny";
   /** @description If several permissions match, deny precedes ask, and ask precedes allow */
   rules?: components["schemas"]["CreateAgentRequestConfigPermissionsRulesItem"][];
  };
  CreateAgentRequestConfigPermissionsApproval: {
   /** @description Who decides; default: the user who started the run, users with the grant approve, and administrators */
   approvers?: (components["schemas"]["CreateAgentRequestConfigPermissionsApprovalApproversItemOption1"] | components["schemas"]["CreateAgentRequestConfigPermissionsApprovalApproversItemOption2"] | components["schemas"]["CreateAgentRequestConfigPermissionsApprovalApproversItemOption3"])[];
   /** @description How many different users have to approve; default 1 */
   count?: number;
   /** @description Who cannot decide in spite of that; lastEditor: the author of the version of the workspace that runs */
   except?: ("starter" | "lastEditor")[];
   /** @description Time limit for the decision, after which the call is rejected; default one day */
   expiresAfterSeconds?: number;
  };
  CreateAgentRequestConfigPermissionsApprovalApproversItemOption1: {
   /** @description Username */
   user: string;
  };
  CreateAgentRequestConfigPermissionsApprovalApproversItemOption2: {
   /** @description Name of a team */
   team: string;
  };
  CreateAgentRequestConfigPermissionsApprovalApproversItemOption3: {
   /**
   * @description Everyone with this role or a higher one
   * @enum {string}
   */
   role: "user" | "analyst" | "admin";
  };
  CreateAgentRequestConfigPermissionsRulesItem: {
   /** @description Arguments by name, each with the pattern for its value; default: any arguments */
   arguments?: {
    [key: string]: string;
   };
   /** @enum {string} */
   decision: "allow" | "ask" | "deny";
   /** @description Name of a tool, such as http.fetch; * matches any characters */
   tool: string;
  };
  CreateAgentResponse: {
   agent: components["schemas"]["Agent"];
  };
  CreateCaseRequest: {
   /** @description Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned */
   assignee?: string | null;
   /** @description Markdown; null: none */
   description?: string | null;
   /** @description Detections to link, at most 1,000 */
   detections?: string[];
   /**
   * @description Default: severity of the template, otherwise the highest severity of the detections, otherwise medium
   * @enum {string}
   */
   severity?: "info" | "low" | "medium" | "high" | "critical";
   /** @description Template for title, severity and tasks */
   template?: string;
   /** @description Title of the case */
   title?: string;
  };
  CreateCaseTaskRequest: {
   /** @description Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned */
   assignee?: string | null;
   /** @description Title of the task */
   title: string;
  };
  CreateCaseTemplateRequest: {
   /** @description Unique, ignoring case */
   name: string;
   /**
   * @description Severity of the case, which can differ from that of its detections
   * @enum {string}
   */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @description Titles of the tasks, in order */
   tasks: string[];
   /** @description Title of the case */
   title: string;
  };
  CreateDetectionCommentRequest: {
   /** @description Markdown, at most 10,000 characters. `@name` mentions an analyst, who is notified by e-mail */
   text: string;
  };
  CreateDetectorTokenRequest: {
   /** @description Validity of the token in minutes; at most a week */
   expiresInMinutes?: number;
   /** @description The only host that may use the token. Required to enrol a host again; absent: any new host */
   hostname?: string;
  };
  CreateDetectorTokenResponse: {
   /** @description Time at which the token expires */
   expiresAt: string;
   /** @description Id of the token in the audit log */
   id: string;
   /** @description The token. Only this response contains it, because the server stores only a hash */
   token: string;
  };
  CreateExceptionRequest: {
   /** @description Detection to create the exception from. If hostname, program, file and rule are all absent, the exception covers its rule on its host for its program */
   detection?: string;
   /** @description RFC 3339; compared with the time of the evidence. null: never */
   expires?: string | null;
   /** @description Mapped file; `*` any text, `?` one character, all of the value must match */
   file?: string;
   /** @description Host; `*` any text, `?` one character, all of the value must match */
   hostname?: string;
   /** @description Process name or program; `*` any text, `?` one character, all of the value must match */
   program?: string;
   /** @description Why */
   reason: string;
   /** @description Id of the rule; `*` any text, `?` one character, all of the value must match */
   rule?: string;
  };
  CreateExceptionResponse: {
   createdAt: string;
   createdBy: string;
   /** @description Name of the user, or of the key and its user; null: unknown */
   createdByName: string | null;
   /** @description Detection that the exception was created from */
   detection: string | null;
   /** @description Time of the removal; null: the exception is active */
   endedAt: string | null;
   endedBy: string | null;
   /** @description As createdByName */
   endedByName: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   program: string | null;
   reason: string;
   /** @description Approved request that created the exception */
   request: string | null;
   rule: string | null;
   /** @description Number of open detections that were silenced immediately; null: they will be silenced within seconds */
   silenced: number | null;
  };
  DeadLetter: {
   /** @description Reason for the rejection */
   code: string;
   /** @description `<topic>~<partition>~<offset>` */
   id: string;
   message: string;
   offset: number;
   partition: number;
   /** @description JSON path of the invalid value */
   path: string;
   /** @description The record as received, unchanged */
   raw: string;
   /**
   * @description `base64` if the bytes are not text
   * @enum {string}
   */
   rawEncoding: "utf8" | "base64";
   /** @description Time of receipt, RFC 3339 */
   received: string;
   /** @description Time at which a redrive accepted it; null: not yet */
   redriven: string | null;
   topic: string;
   [key: string]: unknown;
  };
  DecideWaitRequest: {
   approved: boolean;
   /** @description exec_… */
   executionId: string;
   /** @description part of the event, and of the audit log */
   note?: string;
   /** @description `wait` of the list of waits */
   wait: string;
  };
  DecideWaitResponse: {
   /** @description so far, when counted */
   approvals?: number;
   needed?: number;
   /**
   * @description counted: more approvals are needed
   * @enum {string}
   */
   outcome: "approved" | "rejected" | "counted";
  };
  DecisionChange: {
   /** @description Assigned analyst: username of an account with the role analyst or admin; null: not assigned */
   assignee?: string | null;
   /** @description Note of the analyst; null: none */
   note?: string | null;
   /**
   * @description Triage status
   * @enum {string}
   */
   status?: "new" | "acknowledged" | "closed";
   /**
   * @description Verdict of the triage; null: not decided
   * @enum {string|null}
   */
   verdict?: "true_positive" | "false_positive" | "benign" | null;
  };
  Detection: {
   assignee: string | null;
   attack: components["schemas"]["AttackTechnique"][];
   /** @description GNU build id of that executable; null when unknown or different */
   buildId: string | null;
   /** @description Id of their container; null when unknown, none or different */
   container: string | null;
   /** @description Crashes of the program that were logged during the episode */
   crashes: number;
   /** @description The V1 RegisterProbe event */
   event: unknown;
   evidenceCount: number;
   /** @description Id of the exception that silences it */
   exception: string | null;
   /** @description Executable of the processes that crashed; null when unknown or different */
   executable: string | null;
   file: string | null;
   /** @description RFC 3339, UTC, nine fractional digits; time of the first evidence */
   firstSeen: string;
   hostname: string | null;
   /** @description Hosts of a campaign, which has no hostname, by name; 256 at most. Empty otherwise */
   hosts: string[];
   /** @description All hosts of the campaign; 0 otherwise */
   hostsTotal: number;
   id: string;
   /** @description RFC 3339, UTC, nine fractional digits; time of the latest evidence */
   lastSeen: string;
   message: string;
   note: string | null;
   /** @description Executable of their parent process, or its name; null when unknown or different */
   parent: string | null;
   /** @description Uid of their Kubernetes pod; null when unknown, none or different */
   pod: string | null;
   procname: string | null;
   register: string | null;
   /** @description Grows with every piece of evidence */
   revision: number;
   /** @description Highest risk of the host during an alert of its signs; null for other rules */
   risk: ({
    /**
    * @description Critical from 90 on the scale, High from 70, Moderate from 40, Low from 20
    * @enum {string}
    */
    level: "Critical" | "High" | "Moderate" | "Low" | "Unknown";
    /** @description The score on a scale of 0 to 100; a score of 50 is 50 */
    normalised: number;
    /** @description Points of the signs, added up; each loses half in 24 hours without new evidence */
    score: number;
   }) | null;
   rule: components["schemas"]["DetectionRule"];
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @enum {string} */
   status: "new" | "acknowledged" | "closed";
   /** @description Crashes the kernel says it did not log: a lower bound, without those whose dump was logged */
   suppressedAtLeast: number;
   /** @description User id of the processes that crashed; null when unknown or different */
   uid: number | null;
   /** @description Unit of systemd that they belong to; null when unknown or different */
   unit: string | null;
   /** @description Distinct evidence values, hexadecimal, capped */
   values: string[];
   valuesTotal: number;
   /** @enum {string|null} */
   verdict: "true_positive" | "false_positive" | "benign" | null;
  };
  DetectionException: {
   createdAt: string;
   createdBy: string;
   /** @description Name of the user, or of the key and its user; null: unknown */
   createdByName: string | null;
   /** @description Detection that the exception was created from */
   detection: string | null;
   /** @description Time of the removal; null: the exception is active */
   endedAt: string | null;
   endedBy: string | null;
   /** @description As createdByName */
   endedByName: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   program: string | null;
   reason: string;
   /** @description Approved request that created the exception */
   request: string | null;
   rule: string | null;
  };
  DetectionRule: {
   /** @description Id of a rule; GET /api/rules lists them */
   id: string;
   name: string;
   version: number;
  };
  DetectionWithEvidence: {
   assignee: string | null;
   attack: components["schemas"]["AttackTechnique"][];
   /** @description GNU build id of that executable; null when unknown or different */
   buildId: string | null;
   /** @description Id of their container; null when unknown, none or different */
   container: string | null;
   /** @description Crashes of the program that were logged during the episode */
   crashes: number;
   /** @description The V1 RegisterProbe event */
   event: unknown;
   /** @description Newest events of the evidence, at most 1,000 */
   evidence: components["schemas"]["EventRecord"][];
   /** @description false if there are more */
   evidenceComplete: boolean;
   evidenceCount: number;
   /** @description Id of the exception that silences it */
   exception: string | null;
   /** @description Executable of the processes that crashed; null when unknown or different */
   executable: string | null;
   file: string | null;
   /** @description RFC 3339, UTC, nine fractional digits; time of the first evidence */
   firstSeen: string;
   hostname: string | null;
   /** @description Hosts of a campaign, which has no hostname, by name; 256 at most. Empty otherwise */
   hosts: string[];
   /** @description All hosts of the campaign; 0 otherwise */
   hostsTotal: number;
   id: string;
   /** @description RFC 3339, UTC, nine fractional digits; time of the latest evidence */
   lastSeen: string;
   message: string;
   note: string | null;
   /** @description Executable of their parent process, or its name; null when unknown or different */
   parent: string | null;
   /** @description Uid of their Kubernetes pod; null when unknown, none or different */
   pod: string | null;
   procname: string | null;
   register: string | null;
   /** @description Grows with every piece of evidence */
   revision: number;
   /** @description Highest risk of the host during an alert of its signs; null for other rules */
   risk: ({
    /**
    * @description Critical from 90 on the scale, High from 70, Moderate from 40, Low from 20
    * @enum {string}
    */
    level: "Critical" | "High" | "Moderate" | "Low" | "Unknown";
    /** @description The score on a scale of 0 to 100; a score of 50 is 50 */
    normalised: number;
    /** @description Points of the signs, added up; each loses half in 24 hours without new evidence */
    score: number;
   }) | null;
   rule: components["schemas"]["DetectionRule"];
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @enum {string} */
   status: "new" | "acknowledged" | "closed";
   /** @description Crashes the kernel says it did not log: a lower bound, without those whose dump was logged */
   suppressedAtLeast: number;
   /** @description User id of the processes that crashed; null when unknown or different */
   uid: number | null;
   /** @description Unit of systemd that they belong to; null when unknown or different */
   unit: string | null;
   /** @description Distinct evidence values, hexadecimal, capped */
   values: string[];
   valuesTotal: number;
   /** @enum {string|null} */
   verdict: "true_positive" | "false_positive" | "benign" | null;
  };
  DryRunWorkflowRequest: {
   /** @description Id (exec_…) of a finished execution of this workflow, whose input and recorded results are used */
   executionId: string;
   /** @description a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB */
   yamlContent: string;
  };
  DryRunWorkflowResponse: {
   /** @description exec_… */
   executionId: string;
  };
  EnrolDetectorRequest: {
   /** @description Name of the host in its events */
   hostname: string;
   /** @description The one-time token */
   token: string;
   /** @description Version of the detector */
   version?: string;
  };
  EnrolDetectorResponse: {
   /** @description API key of the host, with the scope events:write. Only this response contains it */
   apiKey: string;
   /** @description Name of the host in its events */
   hostname: string;
   /** @description Public part of a key, before the dot */
   keyId: string;
  };
  ErrorEnvelope: {
   docsUrl?: string;
   hint?: string;
   issues: components["schemas"]["ErrorEnvelopeIssuesItem"][];
   /** @description also the header x-request-id */
   requestId: string;
  };
  ErrorEnvelopeIssuesItem: {
   code: string;
   /** @description in that line, from 1 */
   column?: number;
   /** @description where: a parameter, a header, a path into the body, or <root> */
   field: string;
   /** @description in a text that was sent, from 1 */
   line?: number;
   message: string;
   /** @enum {string} */
   severity: "error" | "warning";
  };
  EvaluateAgentRequest: {
   /** @description Default: a new one */
   batchId?: string;
   /** @description Default: all */
   examples?: string[];
  };
  EvaluateAgentResponse: {
   batchId: string;
   executions: {
     exampleName: string;
     executionId: string;
    }[];
  };
  EvaluationChecksItem: {
   message: string;
   name: string;
   /** @description null: the check was not run */
   passed: boolean | null;
   type: string;
   /** @description For a judge: its judgements, and the share of the majority among the valid ones */
   votes?: components["schemas"]["EvaluationChecksItemVotes"];
  };
  EvaluationChecksItemVotes: {
   agreement: number | null;
   fail: number;
   invalid: number;
   pass: number;
  };
  EvaluationDifferencesItem: {
   message: string;
   /** @description JSON pointer, or name of a file */
   path: string;
  };
  EventRecord: {
   /** @description The V1 event as received, with all digits and unknown fields */
   event: components["schemas"]["EventRecordEvent"];
   /** @description Addresses as text: browsers round JSON integers above 2^53 */
   hex: components["schemas"]["EventRecordHex"];
   /** @description topic~partition~offset */
   id: string;
   offset: number;
   partition: number;
   /** @description Time at which the service ingested the event, RFC 3339 */
   received: string;
   /** @description Time of the event, RFC 3339 in UTC */
   time: string;
   topic: string;
  };
  EventRecordEvent: {
   event: components["schemas"]["EventRecordEventEvent"];
   hostname?: string | null;
   timestamp: string;
   version: string;
   [key: string]: unknown;
  };
  EventRecordEventEvent: {
   type: string;
   [key: string]: unknown;
  };
  EventRecordHex: {
   /** @description Hexadecimal, 0x…; absent where the event has none */
   ip?: string;
   /** @description Hexadecimal, 0x…; absent where the event has none */
   location?: string;
   /** @description Hexadecimal, 0x…; absent where the event has none */
   sp?: string;
   /** @description Hexadecimal, 0x…; absent where the event has none */
   vmastart?: string;
  };
  Execution: {
   /** @description awf_…; null for a workflow */
   agentId: string | null;
   /** @description RFC 3339 */
   cancelRequestedAt: string | null;
   /** @description RFC 3339 */
   completedAt: string | null;
   /** @description RFC 3339 */
   createdAt: string;
   durationMs: number | null;
   error: string | null;
   id: string;
   input: unknown;
   /** @enum {string} */
   kind: "workflow" | "agent";
   /** @description Slug of the workflow or agent */
   name: string;
   /** @description Result of the workflow, or output of the agent; null until completion */
   result: unknown;
   /** @description Execution that this one repeats */
   sourceExecutionId: string | null;
   /** @description RFC 3339 */
   startedAt: string | null;
   /** @description With include=startedBy: the user, key, trigger or execution that started it; null: unknown */
   startedBy?: ({
    /** @description Execution whose step started this one */
    executionId: string | null;
    /** @description console, key, operator, schedule, webhook, event, detection, workflow, agent … */
    how: string;
    /** @description Label of the API key, visible to its owner and to administrators */
    keyLabel: string | null;
    /** @description Username, for a start in the console or by a key; null: the account was deleted */
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   triggerType: string;
   /** @description wf_…; null for an agent */
   workflowId: string | null;
  };
  ExecutionStep: {
   attempt: number;
   /** @description RFC 3339 */
   completedAt?: string;
   durationMs?: number;
   error?: unknown;
   input?: unknown;
   kind: string;
   name: string;
   output?: unknown;
   /** @description RFC 3339 */
   startedAt: string;
   /** @enum {string} */
   status: "running" | "waiting" | "completed" | "failed" | "cancelled" | "skipped";
   /** @description path in the definition, with the indexes of the enclosing loops */
   step: string;
  };
  GetAgentChecksResponse: {
   checks: unknown[];
  };
  GetAgentEvaluationResponse: {
   batchId: string;
   executions: ({
     evaluation: ({
      /** @description Results of the checks of the agent */
      checks?: components["schemas"]["EvaluationChecksItem"][];
      /** @enum {string} */
      comparison: "exact" | "subset" | "schema";
      /** @description At most 50 */
      differences: components["schemas"]["EvaluationDifferencesItem"][];
      /** @description null: no check failed, but at least one was not run */
      passed: boolean | null;
     }) | null;
     exampleName: string;
     executionId: string;
     status: string;
    })[];
   failed: number;
   /** @description Number of runs that ended without a verdict, because they have no expected output or were cancelled */
   notCompared: number;
   /** @description Number of unfinished runs */
   open: number;
   passed: number;
   passRate: components["schemas"]["GetAgentExperimentResponseComparisonBaseline"];
   total: number;
  };
  GetAgentExecutionResponse: {
   execution: components["schemas"]["AgentExecution"];
  };
  GetAgentExperimentResponse: {
   comparison: {
    baseline: components["schemas"]["GetAgentExperimentResponseComparisonBaseline"];
    /** @description Number of examples that both versions passed */
    both: number;
    candidate: components["schemas"]["GetAgentExperimentResponseComparisonBaseline"];
    metrics: ({
      baselineMean: number | null;
      candidateMean: number | null;
      /** @enum {string} */
      metric: "durationMs" | "totalTokens" | "credits";
      /** @description Number of examples with a value for both versions */
      pairs: number;
      /** @description Permutation test of the signs of the differences, two-sided */
      pValue: number | null;
     })[];
    neither: number;
    onlyBaseline: number;
    onlyCandidate: number;
    /** @description McNemar's exact test, two-sided, of the passed examples */
    pValue: number | null;
    /**
    * @description Significance at the 5 % level. too-few: fewer than 6 examples have different results, so no difference can be significant
    * @enum {string}
    */
    verdict: "candidate-better" | "baseline-better" | "no-difference" | "too-few";
   };
   experiment: components["schemas"]["StartAgentExperimentResponse"];
   /** @description Number of unfinished runs */
   open: number;
   rows: ({
     /** @description null: not visible to the caller, or deleted */
     baseline: ({
      cost: {
       [key: string]: number;
      } | null;
      evaluation: ({
       /** @description Results of the checks of the agent */
       checks?: components["schemas"]["EvaluationChecksItem"][];
       /** @enum {string} */
       comparison: "exact" | "subset" | "schema";
       /** @description At most 50 */
       differences: components["schemas"]["EvaluationDifferencesItem"][];
       /** @description null: no check failed, but at least one was not run */
       passed: boolean | null;
      }) | null;
      executionId: string;
      status: string;
     }) | null;
     /** @description null: not visible to the caller, or deleted */
     candidate: ({
      cost: {
       [key: string]: number;
      } | null;
      evaluation: ({
       /** @description Results of the checks of the agent */
       checks?: components["schemas"]["EvaluationChecksItem"][];
       /** @enum {string} */
       comparison: "exact" | "subset" | "schema";
       /** @description At most 50 */
       differences: components["schemas"]["EvaluationDifferencesItem"][];
       /** @description null: no check failed, but at least one was not run */
       passed: boolean | null;
      }) | null;
      executionId: string;
      status: string;
     }) | null;
     exampleName: string;
    })[];
  };
  GetAgentExperimentResponseComparisonBaseline: {
   /** @description Wilson score interval, 95 % */
   interval: {
    high: number;
    low: number;
   } | null;
   /** @description Number of runs with a verdict */
   judged: number;
   passed: number;
   rate: number | null;
  };
  GetAgentFeedbackResponse: {
   expected: unknown;
   expectedFiles: components["schemas"]["AgentExecutionExpectedFilesItem"][];
   feedback: ({
    body: string;
    /** @description RFC 3339 with milliseconds */
    createdAt: string | null;
    createdBy: string | null;
    createdByEmail: string | null;
    promotedExampleName: string | null;
    /** @enum {string|null} */
    rating: "pass" | "fail" | "partial" | null;
    /** @description RFC 3339 with milliseconds */
    resolvedAt: string | null;
    resolvedBy: string | null;
    resolvedByEmail: string | null;
    resolvedBySessionId: string | null;
    /** @enum {string|null} */
    status: "open" | "resolved" | "ignored" | null;
    /** @description RFC 3339 with milliseconds */
    updatedAt: string | null;
   }) | null;
  };
  GetAgentUsageResponse: {
   /** @description RFC 3339 */
   from: string;
   models: ({
     /** @description Number of input tokens that the endpoint read from its cache */
     cachedInputTokens: number;
     /** @description Total cost of the runs with a known cost; null: no cost is known */
     credits: number | null;
     /** @description Total of all runs */
     durationMs: number;
     /** @description Number of runs that have ended */
     ended: number;
     inputTokens: number;
     /** @description null: no model */
     model: string | null;
     outputTokens: number;
     runs: number;
     /** @description Number of model calls */
     steps: number;
     toolCalls: number;
     totalTokens: number;
     /** @description Number of runs that used a model and have ended, but have no known cost */
     unpricedRuns: number;
    })[];
   /** @description true if the period has more runs than are included */
   scanLimited: boolean;
   /** @description RFC 3339 */
   to: string;
   total: {
    /** @description Number of input tokens that the endpoint read from its cache */
    cachedInputTokens: number;
    /** @description Total cost of the runs with a known cost; null: no cost is known */
    credits: number | null;
    /** @description Total of all runs */
    durationMs: number;
    /** @description Number of runs that have ended */
    ended: number;
    inputTokens: number;
    outputTokens: number;
    runs: number;
    /** @description Number of model calls */
    steps: number;
    toolCalls: number;
    totalTokens: number;
    /** @description Number of runs that used a model and have ended, but have no known cost */
    unpricedRuns: number;
   };
   versions: ({
     /** @description Number of input tokens that the endpoint read from its cache */
     cachedInputTokens: number;
     /** @description Total cost of the runs with a known cost; null: no cost is known */
     credits: number | null;
     /** @description Total of all runs */
     durationMs: number;
     /** @description Number of runs that have ended */
     ended: number;
     inputTokens: number;
     outputTokens: number;
     runs: number;
     /** @description Number of model calls */
     steps: number;
     toolCalls: number;
     totalTokens: number;
     /** @description Number of runs that used a model and have ended, but have no known cost */
     unpricedRuns: number;
     /** @description Version of the workspace */
     version: number;
    })[];
  };
  GetCaseMetricsResponse: {
   from: string;
   /** @description Number of cases opened in the range */
   opened: number;
   /** @description Number of these cases that are not closed */
   stillOpen: number;
   /** @description Time to acknowledge, for acknowledged cases that were opened in the range */
   timeToAcknowledge: components["schemas"]["GetCaseMetricsResponseTimeToAcknowledge"];
   /** @description Time to close, for closed cases that were opened in the range */
   timeToClose: components["schemas"]["GetCaseMetricsResponseTimeToAcknowledge"];
   to: string;
  };
  GetCaseMetricsResponseTimeToAcknowledge: {
   /** @description Number of cases that the value is computed from */
   count: number;
   /** @description Seconds; null without cases */
   p50: number | null;
   /** @description Seconds; null without cases */
   p95: number | null;
  };
  GetCaseTimelineResponse: {
   /** @description false if the oldest entries are omitted: only the newest 2,000 are returned */
   complete: boolean;
   /** @description Oldest first */
   data: components["schemas"]["CaseHappening"][];
  };
  GetExceptionPolicyResponse: {
   /**
   * @description create: analysts create exceptions; request: they request them, and an administrator decides
   * @enum {string}
   */
   analysts: "create" | "request";
   changedAt: string;
   changedBy: string;
   /** @description Version of the request, for If-Match */
   etag: string;
   /** @description Whether the caller may create exceptions. If false, the caller may request them */
   mayCreate: boolean;
   /** @description Whether the caller may decide on requests of other users */
   mayDecide: boolean;
  };
  GetExecutionLimitsResponse: {
   /** @description null: no limit delays it */
   waitsFor: ({
    /** @description number of starts before it in the same queue; 1000 means 1000 or more */
    ahead: number;
    /** @description key of the limit as JSON, or the hash of a long one; null for a limit without one */
    key: string | null;
    /** @description number of starts that a debounce or batch has merged into it */
    mergedStarts: number;
    /**
    * @description paused: the workflow is paused. debounce, batch: the execution waits for further starts. concurrency, throttle: the limit is reached. concurrency-key: another execution has the same concurrency key
    * @enum {string}
    */
    reason: "paused" | "debounce" | "batch" | "concurrency" | "throttle" | "concurrency-key";
    /** @description earliest time at which it can begin, if known */
    until: string | null;
   }) | null;
  };
  GetExecutionSuspensionResponse: {
   /** @description null: it is not suspended, or it has ended */
   suspension: ({
    /** @description RFC 3339 */
    requestedAt: string;
    /** @description time of the suspension; null: its running tasks have not ended */
    suspendedAt: string | null;
   }) | null;
  };
  GetExpectedOutcomeResponse: {
   expected: unknown;
   files: components["schemas"]["AgentExecutionExpectedFilesItem"][];
  };
  GetOutputDeliveriesResponse: {
   /** @description Failed attempts to send the next message */
   attempts: number;
   deadLetters: {
    data: ({
      /** @description Time at which it entered this state */
      at: string;
      /** @enum {string} */
      cause: "opened" | "grown" | "closed";
      /** @description Id of the detection */
      detection: string;
      id: number;
      /** @description Response of the receiver */
      reason: string;
      revision: number;
      /**
      * @description `waiting`: it will be sent again; `delivered`: the receiver accepted it
      * @enum {string}
      */
      state: "refused" | "waiting" | "delivered";
     })[];
    nextCursor: string | null;
   };
   /** @description Number of messages since the output was created */
   delivered: number;
   lag: {
    /** @description Waiting messages, counted up to 10,000 */
    messages: number;
    /** @description Time of the oldest waiting message */
    oldestAt: string | null;
   };
   lastDeliveredAt: string | null;
   lastError: {
    at: string;
    message: string;
   } | null;
   nextAttemptAt: string | null;
   /**
   * @description `retrying`: the receiver did not accept a message, and all messages wait in order; `paused`: the output is disabled
   * @enum {string}
   */
   state: "idle" | "delivering" | "retrying" | "paused";
  };
  GetUserRuleResponse: {
   /** @description Time of the last change, RFC 3339 */
   changedAt: string;
   /** @description Actor of the last change */
   changedBy: string;
   enabled: boolean;
   /** @description Id of a rule; GET /api/rules lists them */
   id: string;
   /** @description Why this version of Trapline does not run the rule; null: it runs */
   refusal: string | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @description SHA-256 of the current text, as in the audit log */
   sha256: string;
   /** @description Text of the requested version; default: the current one */
   source: string;
   title: string;
   /** @description Version of the current text, from 1 */
   version: number;
   /** @description Newest first, at most 100 */
   versions: {
     /** @description RFC 3339 */
     pushedAt: string;
     pushedBy: string;
     sha256: string;
     version: number;
    }[];
  };
  GetWorkflowAccessResponse: {
   edit: boolean;
   run: boolean;
   /** @description change its grants and visibility */
   share: boolean;
   /**
   * @description shared: every user with the right to run workflows may run it
   * @enum {string}
   */
   visibility: "private" | "shared";
  };
  GetWorkflowGraphResponse: {
   /** @description Mermaid flowchart */
   mermaid: string;
   /** @description tag */
   version: string;
  };
  GetWorkflowLimitsResponse: {
   /** @description `document.metadata.limits` of the current version */
   declared: components["schemas"]["GetWorkflowLimitsResponseDeclared"];
   /** @description number of executions that hold a slot of `concurrency` */
   holding: number;
   paused: ({
    /** @description RFC 3339 */
    at: string;
    /** @description actor that paused it, as in the audit log */
    by: string;
    reason: string | null;
   }) | null;
   /** @description the 20 longest queues */
   queues: components["schemas"]["GetWorkflowLimitsResponseQueuesItem"][];
   /** @description number of queued starts; 10000 means 10000 or more */
   waiting: number;
  };
  GetWorkflowLimitsResponseDeclared: {
   batch?: components["schemas"]["GetWorkflowLimitsResponseDeclaredThrottle"];
   concurrency?: components["schemas"]["GetWorkflowLimitsResponseDeclaredConcurrency"];
   debounce?: components["schemas"]["GetWorkflowLimitsResponseDeclaredDebounce"];
   /** @description a number, or jq over the input */
   priority?: number | string;
   /** @description ms */
   retentionMs?: number;
   throttle?: components["schemas"]["GetWorkflowLimitsResponseDeclaredThrottle"];
  };
  GetWorkflowLimitsResponseDeclaredConcurrency: {
   /** @description jq over the input; absent: one key for all starts */
   key?: string;
   max: number;
  };
  GetWorkflowLimitsResponseDeclaredDebounce: {
   /** @description jq over the input; absent: one key for all starts */
   key?: string;
   /** @description ms */
   maxDelayMs: number;
   /** @description ms */
   periodMs: number;
  };
  GetWorkflowLimitsResponseDeclaredThrottle: {
   /** @description jq over the input; absent: one key for all starts */
   key?: string;
   max: number;
   /** @description ms */
   periodMs: number;
  };
  GetWorkflowLimitsResponseQueuesItem: {
   /** @description number of executions that hold a slot of this key */
   holding: number;
   key: string | null;
   /** @description time at which the oldest of them was accepted */
   oldest: string;
   /**
   * @description paused: the workflow is paused. debounce, batch: the execution waits for further starts. concurrency, throttle: the limit is reached. concurrency-key: another execution has the same concurrency key
   * @enum {string}
   */
   reason: "paused" | "debounce" | "batch" | "concurrency" | "throttle" | "concurrency-key";
   /** @description earliest time at which the next one can begin, if known */
   until: string | null;
   waiting: number;
  };
  GetWorkflowResponse: {
   /** @description true: the workflow is deleted, so it is neither listed nor run. Absent: it is active */
   archived?: boolean;
   /** @description RFC 3339 */
   createdAt: string;
   /** @description parsed definition */
   definition: {
    [key: string]: unknown;
   };
   /** @description wf_… */
   id: string;
   /** @enum {string} */
   kind: "workflow" | "block";
   /** @description the slug */
   name: string;
   /** @description RFC 3339 */
   updatedAt: string;
   /** @description tag of the current release */
   version: string;
   /** @description definition as sent */
   yamlContent: string;
  };
  GiveAgentFeedbackRequest: {
   /** @description Feedback text */
   body?: string;
   /** @description Expected output, JSON; null removes it */
   expected?: unknown;
   /** @description Alias of `body` */
   feedback?: string;
   /**
   * @description Alias of `rating`
   * @enum {string|null}
   */
   feedbackRating?: "pass" | "fail" | "partial" | null;
   /**
   * @description Alias of `status`
   * @enum {string}
   */
   feedbackStatus?: "open" | "resolved" | "ignored";
   /**
   * @description null: none
   * @enum {string|null}
   */
   rating?: "pass" | "fail" | "partial" | null;
   /** @enum {string} */
   status?: "open" | "resolved" | "ignored";
  };
  GrantWorkflowRequest: {
   /**
   * @description view: read the workflow and all its executions. run: also start and cancel executions. edit: also release and change the workflow. approve: view, and decide on approvals for which the workflow names no approvers
   * @enum {string}
   */
   permission: "view" | "run" | "edit" | "approve";
   /**
   * @description Everyone with this role or a higher one
   * @enum {string}
   */
   role?: "user" | "analyst" | "admin";
   team?: string;
   /** @description Username */
   user?: string;
  };
  GroupDetectionsResponse: {
   /**
   * @description The requested limit
   * @enum {string}
   */
   by: "procname" | "hostname" | "rule" | "campaign";
   /** @description By severity, then by number of open detections, then by number of all detections, highest first */
   data: ({
     /** @description Number of logged crashes of all detections */
     crashes: number;
     /** @description Number of detections of the group */
     detections: number;
     /** @description Time of the earliest evidence, RFC 3339 */
     firstSeen: string;
     /** @description Number of distinct hosts */
     hosts: number;
     /** @description Time of the latest evidence, RFC 3339 */
     lastSeen: string;
     /** @description Name of the rule, or program of the campaign; null: unknown */
     name: string | null;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     open: number;
     /** @description Common value of the detections of the group; null: they have none */
     value: string | null;
     /**
     * @description Highest severity of the group
     * @enum {string}
     */
     worstSeverity: "info" | "low" | "medium" | "high" | "critical";
    })[];
   /** @description Number of detections that match the filters */
   detections: number;
   /** @description Number of all groups, including those beyond the limit */
   groups: number;
  };
  LinkDetectionExecutionRequest: {
   /** @description Id of an execution that the caller may see */
   executionId: string;
  };
  LinkedExecution: {
   actor: string;
   /** @description Time at which the execution was linked */
   at: string;
   /** @description exec_… */
   executionId: string;
   /** @enum {string} */
   kind: "workflow" | "agent";
   /** @description Slug of the workflow or agent */
   name: string | null;
   /**
   * @description Status of the execution; null when it was deleted
   * @enum {string|null}
   */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected" | null;
   username: string | null;
  };
  ListAgentExamplesResponse: {
   data: components["schemas"]["AgentExample"][];
  };
  ListAgentExecutionsResponse: {
   data: components["schemas"]["AgentExecution"][];
   /** @description Same as `data`; older name */
   executions: components["schemas"]["AgentExecution"][];
   limit: number;
   /** @description true if the request set sinceLastResolved, but no feedback was ever resolved */
   noResolvedAnchor: boolean;
   offset: number;
   /** @description true if not all entries were examined, so that the total may be higher */
   scanLimited: boolean;
   /** @description Number of matching entries among those examined */
   total: number;
  };
  ListAgentExperimentsResponse: {
   /** @description The requested page */
   data: components["schemas"]["StartAgentExperimentResponse"][];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  ListAgentMcpToolsResponse: {
   data: ({
     /**
     * @description changed: the tool changed after the consent, so the agent does not use it
     * @enum {string}
     */
     consent: "given" | "changed" | "none";
     /** @description Description that the model reads. Untrusted: the server wrote it */
     description: string;
     /** @description SHA-256 of address, name, description and schema */
     hash: string;
     /** @description JSON Schema of its arguments */
     inputSchema: unknown;
     name: string;
     /** @description Name in the configuration */
     server: string;
    })[];
   /** @description Servers that failed */
   failures: {
     message: string;
     server: string;
    }[];
  };
  ListAgentsResponse: {
   /** @description The requested page */
   data: components["schemas"]["Agent"][];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  ListAgentVersionsResponse: {
   /** @description The requested page */
   data: components["schemas"]["WorkspaceVersion"][];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  ListBulkActionsResponse: {
   /** @description the 20 most recent */
   data: components["schemas"]["StartBulkActionResponse"][];
  };
  ListCasesResponse: {
   /** @description Newest first */
   data: components["schemas"]["Case"][];
   /** @description The requested page size */
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListCaseTemplatesResponse: {
   data: components["schemas"]["CaseTemplate"][];
  };
  ListDeadLettersResponse: {
   data: components["schemas"]["DeadLetter"][];
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListDetectionCommentsResponse: {
   /** @description Oldest first */
   data: components["schemas"]["Comment"][];
   /** @description The requested page size */
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListDetectionExecutionsResponse: {
   /** @description Newest first, at most 200 */
   data: components["schemas"]["LinkedExecution"][];
  };
  ListDetectionHistoryResponse: {
   data: ({
     /** @description user:<id>, key:<keyId> or operator */
     actor: string;
     /** @description The same fields with their values after */
     after: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
     /** @description When */
     at: string;
     /** @description Slug of the workflow or agent that made the change on behalf of the account; null: a user or a client */
     automation: string | null;
     /** @description Changed fields with their values before */
     before: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
     /** @description Execution of the workflow or agent */
     executionId: string | null;
     /** @description Username at the time of the change */
     username: string | null;
     /** @description 1 for the first change */
     version: number;
    })[];
   /** @description The requested page size */
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListDetectionsResponse: {
   data: components["schemas"]["Detection"][];
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListDetectorsResponse: {
   data: ({
     /** @description Number of events lost since the detector started, because the spool of the host was full */
     droppedEvents: number | null;
     /** @description Time of the last enrolment */
     enrolledAt: string;
     /** @description Name of the host in its events */
     hostname: string;
     /** @description Public part of a key, before the dot */
     keyId: string;
     /** @description Age of the oldest event that the server has not yet accepted, ms; 0: no event is waiting */
     lagMs: number | null;
     /** @description Time of the last report; null: never */
     lastSeenAt: string | null;
     /** @description Number of kernel records that were overwritten before the detector read them */
     lostRecords: number | null;
     /** @description Number of events that the server rejected since the detector started, such as events of another host */
     refusedEvents: number | null;
     /** @description Kernel settings that decide which crashes are logged, by name */
     settings: {
      [key: string]: string;
     };
     /** @description true: no report for five minutes */
     silent: boolean;
     /** @description Sources that the detector reads; null: not reported yet */
     source: string | null;
     /** @description Version of the detector */
     version: string | null;
    })[];
  };
  ListedExecution: {
   /** @description RFC 3339 */
   completedAt?: string;
   /** @description RFC 3339 */
   createdAt: string;
   durationMs?: number;
   error?: string;
   /** @description exec_… */
   id: string;
   result?: unknown;
   /** @description RFC 3339 */
   startedAt?: string;
   /** @description With include=startedBy: the user, key, trigger or execution that started it; null: unknown */
   startedBy?: ({
    /** @description Execution whose step started this one */
    executionId: string | null;
    /** @description console, key, operator, schedule, webhook, event, detection, workflow, agent … */
    how: string;
    /** @description Label of the API key, visible to its owner and to administrators */
    keyLabel: string | null;
    /** @description Username, for a start in the console or by a key; null: the account was deleted */
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   triggerInput?: unknown;
   /** @description api, cli, schedule, webhook, event, detection, workflow, rerun … */
   triggerType?: string;
   workflow: {
    id: string;
    name: string;
   } | null;
   workflowId: string;
  };
  ListEventsResponse: {
   data: components["schemas"]["EventRecord"][];
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListExceptionRequestsResponse: {
   /** @description Newest first */
   data: components["schemas"]["ListExceptionRequestsResponseDataItem"][];
   /** @description The requested page size */
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
   /** @description Number of open requests */
   open: number;
   /** @description Number of open requests that the caller may decide on */
   waiting: number;
  };
  ListExceptionRequestsResponseDataItem: {
   createdAt: string;
   decidedAt: string | null;
   decidedBy: string | null;
   decidedByName: string | null;
   decisionReason: string | null;
   /** @description Detection that the request was made from */
   detection: string | null;
   /** @description Exception that the approval created */
   exception: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   /** @description Whether the caller made the request, with any of their keys or sessions */
   own: boolean;
   program: string | null;
   reason: string;
   requestedBy: string;
   /** @description Username at the time of the request */
   requesterName: string | null;
   rule: string | null;
   /** @enum {string} */
   state: "open" | "approved" | "rejected" | "withdrawn";
  };
  ListExceptionsResponse: {
   /** @description Exceptions created through the API, newest first */
   data: components["schemas"]["DetectionException"][];
   /** @description Exceptions of the rules file, which only the operator can change. They have precedence */
   file: {
     file?: string;
     hostname?: string;
     id: string;
     program?: string;
     reason: string;
     rule?: string;
     [key: string]: unknown;
    }[];
   /** @description The requested page size */
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListExecutionsResponse: {
   /** @description The requested page */
   data: components["schemas"]["RecentExecution"][];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  ListHostsResponse: {
   data: ({
     /** @description Number of crashes. A trap line and the register dump of the same process within 2 s count once. Signals from another process are not crashes */
     crashes: number;
     /** @description Number of detections, at any time */
     detections: number;
     /** @description Events */
     events: number;
     /** @description Time of the first event, RFC 3339 */
     firstSeen: string;
     /** @description null: events without a host name */
     hostname: string | null;
     /** @description Time of the latest event, RFC 3339 */
     lastSeen: string;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     openDetections: number;
     /** @description Number of programs that crashed on the host; approximate above 60,000 */
     programs: number;
     /** @description Risk score at `to`, or now. Silenced, false-positive and benign detections do not count */
     risk: components["schemas"]["ListHostsResponseDataItemRisk"];
    })[];
   /** @description The requested page size */
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListHostsResponseDataItemRisk: {
   /**
   * @description Critical from 90 on the scale, High from 70, Moderate from 40, Low from 20
   * @enum {string}
   */
   level: "Critical" | "High" | "Moderate" | "Low" | "Unknown";
   /** @description The score on a scale of 0 to 100; a score of 50 is 50 */
   normalised: number;
   /** @description Points of the signs, added up; each loses half in 24 hours without new evidence */
   score: number;
  };
  ListOutputKindsResponse: {
   data: ({
     description: string;
     label: string;
     /** @description Encrypted at rest; no response contains their values */
     secrets: components["schemas"]["ListOutputKindsResponseDataItemSettingsItem"][];
     /** @description Whether outputs of this kind can send cases */
     sendsCases: boolean;
     settings: components["schemas"]["ListOutputKindsResponseDataItemSettingsItem"][];
     type: string;
     /** @description Why this installation cannot use the kind, and what to set */
     unavailable: string | null;
    })[];
  };
  ListOutputKindsResponseDataItemSettingsItem: {
   /** @description Values of a choice */
   choices: components["schemas"]["ListOutputKindsResponseDataItemSettingsItemChoicesItem"][] | null;
   default: (string | null) | (number | null) | (boolean | null);
   description: string | null;
   /**
   * @description Form control; `pem`: several lines of PEM text
   * @enum {string}
   */
   input: "text" | "number" | "switch" | "choice" | "pem";
   label: string;
   name: string;
   required: boolean;
  };
  ListOutputKindsResponseDataItemSettingsItemChoicesItem: {
   label: string;
   value: string;
  };
  ListOutputsResponse: {
   data: components["schemas"]["Output"][];
  };
  ListPausedWorkflowsResponse: {
   /** @description most recent pauses first, at most 1000 */
   data: ({
     /** @description RFC 3339 */
     at: string;
     /** @description actor that paused it, as in the audit log */
     by: string;
     reason: string | null;
     workflow: components["schemas"]["PausedWorkflow"];
    })[];
  };
  ListProcessesResponse: {
   data: ({
     /** @description Number of crashes. A trap line and the register dump of the same process within 2 s count once. Signals from another process are not crashes */
     crashes: number;
     /** @description Number of detections, at any time */
     detections: number;
     /** @description Events */
     events: number;
     /** @description Time of the first event, RFC 3339 */
     firstSeen: string;
     /** @description null: events without a host name */
     hostname: string | null;
     /** @description Time of the latest event, RFC 3339 */
     lastSeen: string;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     openDetections: number;
     procname: string;
     /** @description Risk score at `to`, or now. Silenced, false-positive and benign detections do not count */
     risk: components["schemas"]["ListHostsResponseDataItemRisk"];
    })[];
   /** @description The requested page size */
   limit: number;
   /** @description null on the last page */
   nextCursor: string | null;
  };
  ListProposalsResponse: {
   data: components["schemas"]["ListProposalsResponseDataItem"][];
  };
  ListProposalsResponseDataItem: {
   /** @description user:<id>, key:<keyId> or operator */
   actor: string;
   /** @description Proposed triage */
   change: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
   /** @description Time of the proposal */
   createdAt: string;
   /** @description Actor and time of the decision; null: the proposal is open */
   decided: ({
    actor: string;
    at: string;
    username: string | null;
   }) | null;
   /** @description Id of a detection */
   detectionId: string;
   /** @description Id of a proposal */
   id: string;
   /** @description Reason, shown to the analyst who decides on the proposal */
   reason: string;
   /**
   * @description `replaced`: the same caller made a newer proposal
   * @enum {string}
   */
   state: "open" | "accepted" | "declined" | "replaced";
   /** @description Username at the time of the proposal */
   username: string | null;
  };
  ListRulesResponse: {
   data: components["schemas"]["Rule"][];
  };
  ListSecretsResponse: {
   data: components["schemas"]["Secret"][];
  };
  ListSignsResponse: {
   data: ({
     /** @description If there are several, the one with the most points counts */
     detections: ({
       /** @description Crashes of the program that were logged during the episode */
       crashes: number;
       /** @description RFC 3339, UTC, nine fractional digits; time of the first evidence */
       firstSeen: string;
       id: string;
       /** @description RFC 3339, UTC, nine fractional digits; time of the latest evidence */
       lastSeen: string;
       /** @enum {string} */
       severity: "info" | "low" | "medium" | "high" | "critical";
       /** @enum {string} */
       status: "new" | "acknowledged" | "closed";
       /** @enum {string|null} */
       verdict: "true_positive" | "false_positive" | "benign" | null;
      })[];
     /** @description Time of the latest evidence of the alert */
     points: number;
     /** @description null: the signal is about the host */
     procname: string | null;
     rule: components["schemas"]["DetectionRule"];
    })[];
  };
  ListTeamsResponse: {
   /** @description The requested page */
   data: components["schemas"]["ListTeamsResponseDataItem"][];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  ListTeamsResponseDataItem: {
   /** @description RFC 3339 */
   createdAt: string;
   description: string;
   /** @description team_… */
   id: string;
   memberCount: number;
   /** @description only for administrators and members of the team */
   members?: components["schemas"]["ListTeamsResponseDataItemMembersItem"][];
   name: string;
   /** @description RFC 3339 */
   updatedAt: string;
  };
  ListTeamsResponseDataItemMembersItem: {
   id: string;
   username: string;
  };
  ListUserRulesResponse: {
   data: components["schemas"]["ListUserRulesResponseDataItem"][];
  };
  ListUserRulesResponseDataItem: {
   /** @description Time of the last change, RFC 3339 */
   changedAt: string;
   /** @description Actor of the last change */
   changedBy: string;
   enabled: boolean;
   /** @description Id of a rule; GET /api/rules lists them */
   id: string;
   /** @description Why this version of Trapline does not run the rule; null: it runs */
   refusal: string | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @description SHA-256 of the current text, as in the audit log */
   sha256: string;
   title: string;
   /** @description Version of the current text, from 1 */
   version: number;
  };
  ListWaitsResponse: {
   data: components["schemas"]["Wait"][];
   limit: number;
   nextCursor: string | null;
  };
  ListWorkflowExecutionsResponse: {
   /** @description The requested page */
   data: components["schemas"]["ListedExecution"][];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  ListWorkflowGrantsResponse: {
   data: components["schemas"]["ListWorkflowGrantsResponseDataItem"][];
  };
  ListWorkflowGrantsResponseDataItem: {
   /** @description RFC 3339 */
   createdAt: string;
   /** @description grant_… */
   id: string;
   /** @enum {string} */
   permission: "view" | "run" | "edit" | "approve";
   /**
   * @description everyone with this role or a higher one
   * @enum {string|null}
   */
   role: "user" | "analyst" | "admin" | null;
   /** @description name of the team */
   team: string | null;
   /** @description username */
   user: string | null;
  };
  ListWorkflowsResponse: {
   /** @description The requested page */
   data: ({
     /** @description true: the workflow is deleted, so it is neither listed nor run. Absent: it is active */
     archived?: boolean;
     /** @description RFC 3339 */
     createdAt: string;
     /** @description wf_… */
     id: string;
     /** @enum {string} */
     kind: "workflow" | "block";
     /** @description the slug */
     name: string;
     /** @description title from the definition, if the request sets `titles` */
     title?: string;
     /** @description RFC 3339 */
     updatedAt: string;
     /** @description tag of the current release */
     version: string;
    })[];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  ListWorkflowTasksResponse: {
   /** @description All tasks; a task follows the task that contains it */
   data: ({
     cases: components["schemas"]["ListWorkflowTasksResponseDataItemCasesItem"][];
     /** @description Condition: the task is skipped unless this expression is true */
     condition: string | null;
     /** @description Short label of what the task calls, iterates or runs */
     detail: string | null;
     /**
     * @description `sequence`: the inner tasks, then the next task. `parallel`: the inner tasks run concurrently. `attempt`: `try`, and `catch` after an error. `choice`: one of the cases. `end`: no task follows
     * @enum {string}
     */
     flow: "sequence" | "parallel" | "attempt" | "choice" | "end";
     /** @description Key of the task: set, call, for … */
     kind: string;
     name: string;
     /** @description Next task by name, `end` or `exit`; null for the next task of the list */
     next: string | null;
     /** @description Path of the task that contains it; null for a task of the workflow itself */
     parent: string | null;
     /** @description Path of its steps in executions, without loop indexes */
     path: string;
     /** @description List of the parent that contains the task: `do`, `try`, `catch`, `foreach`, `branch`; null: it has no parent */
     role: string | null;
    })[];
   /** @description tag */
   version: string;
  };
  ListWorkflowTasksResponseDataItemCasesItem: {
   name: string;
   /** @description As `next` of a task */
   next: string | null;
   /** @description The expression; null: the value is not an expression */
   when: string | null;
  };
  ListWorkflowTriggersResponse: {
   /** @description At most one trigger of each kind */
   data: components["schemas"]["Trigger"][];
  };
  ListWorkflowVersionsResponse: {
   /** @description The requested page */
   data: components["schemas"]["WorkflowVersion"][];
   /** @description As requested */
   limit: number;
   /** @description As requested */
   offset: number;
   /** @description Total number of matches */
   total: number;
  };
  OpenWorkflowWebhookResponse: {
   /** @description header that contains the signature */
   header: string;
   /** @description URL that receives deliveries with POST */
   path: string;
   /** @description secret for the signatures. Only this response contains it */
   secret: string;
  };
  Output: {
   createdAt: string;
   createdBy: string;
   /** @description Name of the user, or of the key and its user; null: unknown */
   createdByName: string | null;
   enabled: boolean;
   /** @description ETag of the definition, for If-Match */
   etag: string;
   filter: components["schemas"]["OutputFilter"];
   id: string;
   name: string;
   /** @description Names of the secrets that are set */
   secrets: string[];
   settings: {
    [key: string]: unknown;
   };
   /** @description Kind of output; see GET /api/output-kinds */
   type: string;
   updatedAt: string;
  };
  OutputFilter: {
   /** @description Also sends cases of `minSeverity` or above when they are opened, changed or closed. If absent, no case is sent */
   cases?: ("opened" | "changed" | "closed")[];
   /** @description Only when a detection is opened, continues (`grown`) or is closed */
   causes?: ("opened" | "grown" | "closed")[];
   /** @description Only of these hosts; * matches any text */
   hosts?: string[];
   /**
   * @description Only of this severity or above
   * @enum {string}
   */
   minSeverity?: "info" | "low" | "medium" | "high" | "critical";
   /** @description Only of these rules */
   rules?: string[];
  };
  OutputFilter2: {
   /** @description Also sends cases of `minSeverity` or above when they are opened, changed or closed. If absent, no case is sent */
   cases?: ("opened" | "changed" | "closed")[];
   /** @description Only when a detection is opened, continues (`grown`) or is closed */
   causes?: ("opened" | "grown" | "closed")[];
   /** @description Only of these hosts; * matches any text */
   hosts?: string[];
   /**
   * @description Only of this severity or above
   * @enum {string}
   */
   minSeverity?: "info" | "low" | "medium" | "high" | "critical";
   /** @description Only of these rules */
   rules?: string[];
  };
  PausedWorkflow: {
   id: string;
   name: string;
  };
  Person: {
   /** @description E-mail address, in lower case */
   email: string;
   /** @enum {string} */
   role: "analyst" | "admin";
   /** @description Username */
   username: string;
  };
  PreviewExceptionRequest: {
   /** @description Detection to create the exception from. If hostname, program, file and rule are all absent, the exception covers its rule on its host for its program */
   detection?: string;
   /** @description RFC 3339; compared with the time of the evidence. null: never */
   expires?: string | null;
   /** @description Mapped file; `*` any text, `?` one character, all of the value must match */
   file?: string;
   /** @description Host; `*` any text, `?` one character, all of the value must match */
   hostname?: string;
   /** @description Process name or program; `*` any text, `?` one character, all of the value must match */
   program?: string;
   /** @description Id of the rule; `*` any text, `?` one character, all of the value must match */
   rule?: string;
  };
  PreviewExceptionResponse: {
   /** @description false if there are more */
   complete: boolean;
   /** @description Number of examined detections, newest first */
   examined: number;
   /** @description The newest of them, at most 20 */
   examples: ({
     file: string | null;
     hostname: string | null;
     id: string;
     lastSeen: string;
     message: string;
     procname: string | null;
     rule: string;
    })[];
   /** @description The exception as it would be created */
   exception: {
    [key: string]: unknown;
   };
   /** @description Number of these detections that are open */
   open: number;
   /** @description Number of detections that it would have silenced */
   silenced: number;
  };
  PromoteAgentExecutionRequest: {
   /** @description Name of the example */
   name: string;
  };
  ProposeChangeRequest: {
   /** @description Proposed triage */
   change: components["schemas"]["DecisionChange"];
   /** @description Reason, shown to the analyst who decides on the proposal */
   reason: string;
  };
  PushUserRuleRequest: {
   /** @description Rule file in Sigma 2 YAML: one rule, or several rules with a correlation */
   source: string;
  };
  PushUserRuleResponse: {
   /** @description Time of the last change, RFC 3339 */
   changedAt: string;
   /** @description Actor of the last change */
   changedBy: string;
   enabled: boolean;
   /** @description Id of a rule; GET /api/rules lists them */
   id: string;
   /** @enum {string} */
   outcome: "created" | "updated" | "unchanged";
   /** @description Why this version of Trapline does not run the rule; null: it runs */
   refusal: string | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @description SHA-256 of the current text, as in the audit log */
   sha256: string;
   title: string;
   /** @description Version of the current text, from 1 */
   version: number;
  };
  PutAgentChecksRequest: {
   checks: ({
     /** @description JSON pointer into the output; default the whole output */
     at?: string;
     /** @description Unique among the checks */
     name?: string;
     /** @enum {string} */
     type: "exact";
     /** @description Equal, as JSON */
     value: unknown;
    } | {
     /** @description JSON pointer into the output; default the whole output */
     at?: string;
     ignoreCase?: boolean;
     /** @description Unique among the checks */
     name?: string;
     text: string;
     /** @enum {string} */
     type: "contains";
    } | {
     /** @description JSON pointer into the output; default the whole output */
     at?: string;
     /** @description Unique among the checks */
     name?: string;
     /** @description Regular expression of RE2, which matches somewhere in the text */
     pattern: string;
     /** @enum {string} */
     type: "regex";
    } | {
     /** @description JSON pointer into the output; default the whole output */
     at?: string;
     /** @description Unique among the checks */
     name?: string;
     schema: {
      [key: string]: unknown;
     };
     /** @enum {string} */
     type: "json-schema";
    } | {
     /** @description jq on {input, output, expected, cost, tools}; passes with the value true */
     expression: string;
     /** @description Unique among the checks */
     name?: string;
     /** @enum {string} */
     type: "jq";
    } | {
     /** @description Default 1 */
     atLeast?: number;
     atMost?: number;
     /** @description Unique among the checks */
     name?: string;
     /** @description Name of a tool; * matches any characters */
     tool: string;
     /** @enum {string} */
     type: "tool-called";
    } | {
     /** @description Unique among the checks */
     name?: string;
     /** @description Name of a tool; * matches any characters */
     tool: string;
     /** @enum {string} */
     type: "tool-not-called";
    } | {
     ms: number;
     /** @description Unique among the checks */
     name?: string;
     /** @enum {string} */
     type: "max-duration";
    } | {
     /** @description Unique among the checks */
     name?: string;
     tokens: number;
     /** @enum {string} */
     type: "max-tokens";
    } | {
     /** @description Maximum cost. A run with an unknown cost fails the check */
     credits: number;
     /** @description Unique among the checks */
     name?: string;
     /** @enum {string} */
     type: "max-credits";
    } | {
     /** @description Default: the model of the installation */
     model?: components["schemas"]["CreateAgentRequestConfigModel"];
     /** @description Unique among the checks */
     name?: string;
     /** @description Judgements; the majority decides. Default 1 */
     repeat?: number;
     /** @description Question that the model judges */
     rubric: string;
     /** @enum {string} */
     type: "judge";
    })[];
  };
  PutAgentExampleRequest: {
   /**
   * @description Default: subset
   * @enum {string}
   */
   comparison?: "exact" | "subset" | "schema";
   expected?: unknown;
   input: unknown;
  };
  PutAgentExampleResponse: {
   id: string;
   name: string;
  };
  PutAgentFileRequest: {
   /** @description Text */
   content?: string;
   /** @description Bytes */
   contentBase64?: string;
   contentType?: string;
  };
  PutAgentFileResponse: {
   /** @enum {boolean} */
   ok: true;
   path: string;
  };
  PutAgentFilesRequest: {
   files: {
     /** @description Text */
     content?: string;
     /** @description Bytes */
     contentBase64?: string;
     contentType?: string;
     path: string;
    }[];
   /** @description Paths to delete */
   remove?: string[];
  };
  PutAgentFilesResponse: {
   files: string[];
   /** @enum {boolean} */
   ok: true;
  };
  RecentExecution: {
   /** @description RFC 3339 */
   completedAt: string | null;
   /** @description RFC 3339 */
   createdAt: string;
   error: string | null;
   id: string;
   /** @enum {string} */
   kind: "workflow" | "agent";
   /** @description Slug of the workflow or agent */
   name: string;
   /** @description RFC 3339 */
   startedAt: string | null;
   /** @description With include=startedBy: the user, key, trigger or execution that started it; null: unknown */
   startedBy?: ({
    /** @description Execution whose step started this one */
    executionId: string | null;
    /** @description console, key, operator, schedule, webhook, event, detection, workflow, agent … */
    how: string;
    /** @description Label of the API key, visible to its owner and to administrators */
    keyLabel: string | null;
    /** @description Username, for a start in the console or by a key; null: the account was deleted */
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   triggerType: string;
  };
  RedriveDeadLettersRequest: {
   /** @description `nextCursor` of the previous response */
   cursor?: string;
   filter?: {
    /** @description rejection reason, or several */
    code?: string;
    /** @description from this time on, RFC 3339 or now()-7d (s, m, h, d, w) */
    from?: string;
    /** @description Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: code, path, message, topic, partition, offset, received */
    q?: string;
    /** @description whether a redrive was successful */
    status?: string;
    /** @description before this time, RFC 3339 or now()-7d */
    to?: string;
    /** @description topic, or several */
    topic?: string;
   };
   ids?: string[];
   /** @description maximum number of dead letters that match the filter */
   limit?: number;
  };
  RedriveDeadLettersResponse: {
   /** @description Cursor of the next matches of the filter; null: there are no more */
   nextCursor: string | null;
   results: ({
     /** @description code of the new rejection */
     code?: string;
     id: string;
     message?: string;
     /** @enum {string} */
     outcome: "accepted" | "rejected" | "already_redriven" | "not_found" | "queue_full";
     path?: string;
    })[];
   /** @description Number of matches before the first redrive; only without a cursor, and if the count is fast */
   total?: number;
  };
  ReleaseWorkflowRequest: {
   /**
   * @description default: unchanged; `workflow` for a new workflow
   * @enum {string}
   */
   kind?: "workflow" | "block";
   notes?: string;
   /** @description tag of the release; default: the next number */
   version?: string;
   /**
   * @description default: unchanged; `private` for a new workflow
   * @enum {string}
   */
   visibility?: "private" | "shared";
   /** @description a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB */
   yamlContent: string;
  };
  ReleaseWorkflowResponse: {
   /** @description false: the definition is unchanged, so no version was created */
   released: boolean;
   version: components["schemas"]["WorkflowVersion"];
   /** @enum {string} */
   visibility: "private" | "shared";
   warnings: components["schemas"]["ReleaseWorkflowResponseWarningsItem"][];
   workflow: components["schemas"]["Workflow"];
  };
  ReleaseWorkflowResponseWarningsItem: {
   code: string;
   column?: number;
   field: string;
   line?: number;
   message: string;
   /** @enum {string} */
   severity: "warning";
  };
  RenameExpectedFileRequest: {
   name: string;
  };
  ReportDetectorStatusRequest: {
   /** @description Number of events lost since the detector started, because the spool of the host was full */
   droppedEvents?: number;
   /** @description Name of the host in its events. It must be the host of the key */
   hostname?: string;
   /** @description Age of the oldest event that the server has not yet accepted, ms; 0: no event is waiting */
   lagMs: number;
   /** @description Number of kernel records that were overwritten before the detector read them */
   lostRecords: number;
   /** @description Number of events that the server rejected since the detector started, such as events of another host */
   refusedEvents?: number;
   /** @description Kernel settings that decide which crashes are logged, by name */
   settings: {
    [key: string]: string;
   };
   /** @description Sources that the detector reads */
   source: string;
   /** @description Version of the detector */
   version: string;
  };
  RerunAgentExecutionResponse: {
   executionId: string;
   sourceExecutionId: string;
   status: string;
  };
  RerunWorkflowExecutionResponse: {
   executionId: string;
   sourceExecutionId: string;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  ResendOutputDeadLettersRequest: {
   /** @description Dead letters to send again; default: all */
   ids?: number[];
  };
  ResendOutputDeadLettersResponse: {
   /** @description How many are sent again */
   count: number;
  };
  ResumeExecutionResponse: {
   executionId: string;
   /** @enum {string} */
   status: "resumed" | "not-suspended" | "already-terminal";
   /** @enum {string} */
   wasStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  RollbackWorkflowRequest: {
   /** @description id or tag of the version that becomes the current one */
   version: string;
  };
  Rule: {
   attack: components["schemas"]["AttackTechnique"][];
   /** @description Actor of the last change, for a pushed rule */
   author: string | null;
   enabled: boolean;
   /** @description Version of its settings, for If-Match */
   etag: string;
   /** @description Id of a rule; GET /api/rules lists them */
   id: string;
   name: string;
   /**
   * @description user: user rule, which has no thresholds
   * @enum {string}
   */
   origin: "built-in" | "user";
   /** @description Guidance for an analyst who investigates a detection of the rule */
   runbook: components["schemas"]["RuleRunbook"];
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @description null for a user rule */
   statistics: ({
    /** @description Model of normal crash behaviour, from which the rate of false alarms is computed */
    baseRate: string;
    /** @description Known evasions, cheapest first */
    evasions: components["schemas"]["RuleStatisticsEvasionsItem"][];
    /** @description Event that causes one false alarm each time it occurs; null: none known */
    falseAlarmForEach: string | null;
    /** @description Expected rate on a normal host, with up to 15 faults per program and at most one crash loop a month */
    falseAlarmsPerMonth: number;
   }) | null;
   /** @description What the rule fires on, in one sentence */
   summary: string;
   thresholds: components["schemas"]["RuleThresholdsItem"][];
   version: number;
   [key: string]: unknown;
  };
  RuleRunbook: {
   /** @description Benign causes that look similar */
   falsePositives: string[];
   /** @description Recommended steps, in order */
   nextChecks: string[];
  };
  RuleStatisticsEvasionsItem: {
   /** @description Duration of the attack with this evasion, in days; null: the cost is not time */
   days: number | null;
   evasion: string;
   /** @description Cost for the attacker */
   price: string;
  };
  RuleThresholdsItem: {
   default: unknown;
   description: string;
   name: string;
   value: unknown;
  };
  RunAgentForm: {
   /** @description The input, as JSON */
   _json?: string;
   [key: string]: unknown;
  };
  RunAgentRequest: {
   _metadata?: {
    [key: string]: unknown;
   };
   batchId?: string;
   exampleId?: string;
   exampleName?: string;
   input?: unknown;
   [key: string]: unknown;
  };
  RunAgentResponse: {
   cost?: {
    [key: string]: number;
   };
   error?: string | null;
   executionId: string;
   output?: unknown;
   schemaValid?: boolean | null;
   /** @description `timeout`: the run continues */
   status?: string;
  };
  RunWorkflowForm: {
   /** @description The fields of the JSON body, as JSON */
   _json?: string;
   [key: string]: unknown;
  };
  RunWorkflowRequest: {
   /** @description of the executions with the same key, only one runs at a time */
   concurrencyKey?: string;
   exampleId?: string | null;
   /** @description JSON; default: an empty object */
   input?: unknown;
   /** @description Outputs of steps, by name. These steps are not executed */
   overrides?: {
    steps?: {
     [key: string]: unknown;
    };
   } | null;
   /** @description higher priorities run first; default 0 */
   priority?: number;
   /** @enum {string} */
   trigger?: "api" | "cli";
  };
  RunWorkflowResponse: {
   error?: string | null;
   /** @description exec_… */
   executionId: string;
   result?: unknown;
   /** @enum {string} */
   status?: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  SearchPeopleResponse: {
   data: components["schemas"]["Person"][];
  };
  Secret: {
   /** @description RFC 3339 */
   createdAt: string;
   /** @description the only hosts that tasks may send the value to; null: any host */
   hosts: string[] | null;
   name: string;
   /** @description RFC 3339 */
   updatedAt: string;
  };
  SendExecutionEventsResponse: {
   /** @description number of new events */
   accepted: number;
   /** @description number of duplicates, by source and id */
   duplicates: number;
  };
  SetSecretRequest: {
   /** @description Only hosts that tasks may send the value to; null: any host; absent: unchanged. Connections use TLS, except to hosts that begin with `http://` */
   hosts?: string[] | null;
   value: string;
  };
  SignalExecutionResponse: {
   eventId: string;
   executionId: string;
   /** @enum {string} */
   executionStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   /** @description CloudEvent that the execution sent as the reply */
   reply: {
    [key: string]: unknown;
   } | null;
   /**
   * @description too-large: the reply is larger than 256 KiB and was discarded. ended: the execution ended without a reply
   * @enum {string}
   */
   state: "pending" | "replied" | "too-large" | "ended";
  };
  StartAgentExperimentRequest: {
   baseline: components["schemas"]["StartAgentExperimentRequestBaseline"];
   candidate: components["schemas"]["StartAgentExperimentRequestBaseline"];
   /** @description Names; default: all */
   examples?: string[];
   name: string;
  };
  StartAgentExperimentRequestBaseline: {
   /** @description Configuration keys that override those of the agent. Requires the right to change the agent */
   config?: {
    [key: string]: unknown;
   };
   /** @description Of the workspace; default the latest */
   version?: number;
  };
  StartAgentExperimentResponse: {
   baseline: components["schemas"]["StartAgentExperimentResponseBaseline"];
   candidate: components["schemas"]["StartAgentExperimentResponseBaseline"];
   /** @description Checks at the time of the start */
   checks: unknown[];
   /** @description RFC 3339 with milliseconds */
   createdAt: string;
   createdBy: string;
   examples: number;
   /** @description `awp_…` */
   id: string;
   name: string;
  };
  StartAgentExperimentResponseBaseline: {
   /** @description Configuration keys that override those of the agent */
   config: {
    [key: string]: unknown;
   };
   /** @description Version of the workspace */
   version: number;
  };
  StartBulkActionResponse: {
   /** @enum {string} */
   action: "cancel" | "replay";
   /** @description actor that started the bulk action, as in the audit log */
   by: string;
   /** @description RFC 3339 */
   createdAt: string;
   done: number;
   /** @description RFC 3339 */
   endedAt: string | null;
   filters: components["schemas"]["StartBulkActionResponseFilters"];
   /** @description bulk_… */
   id: string;
   /** @description reason for the most recently skipped execution */
   problem: string | null;
   /** @description cancel: number of executions that had already ended. replay: number of executions that could not be started, or are dry runs */
   skipped: number;
   /** @enum {string} */
   status: "running" | "stopping" | "stopped" | "completed";
   total: number;
   /** @enum {string} */
   version?: "latest" | "same";
  };
  StartBulkActionResponseFilters: {
   /** @description created at or after this time */
   from?: string;
   /** @description cancel: unfinished statuses, default all of them. replay: finished statuses, default failed */
   statuses?: ("created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected")[];
   /** @description created at or before this time */
   to?: string;
  };
  StartDemoResponse: {
   /** @description number of stored events */
   events: number;
  };
  SubmitEventsRequestOption1: {
   event: components["schemas"]["SubmitEventsRequestOption1EventOption1"] | components["schemas"]["SubmitEventsRequestOption1EventOption2"] | components["schemas"]["SubmitEventsRequestOption1EventOption3"] | components["schemas"]["SubmitEventsRequestOption1EventOption4"] | components["schemas"]["SubmitEventsRequestOption1EventOption5"];
   hostname?: string | null;
   timestamp: string;
   /** @enum {unknown} */
   version: "V1";
  };
  SubmitEventsRequestOption1EventOption1: {
   justification: components["schemas"]["SubmitEventsRequestOption1EventOption1Justification"];
   message: string;
   procname: string;
   register: string;
   /** @enum {unknown} */
   type: "RegisterProbe";
  };
  SubmitEventsRequestOption1EventOption1Justification: {
   EventCount?: number;
   FullEvents?: Record<string, never>[];
   RegisterValues?: string[];
  };
  SubmitEventsRequestOption1EventOption2: {
   errcode: components["schemas"]["SubmitEventsRequestOption1EventOption2Errcode"];
   /** @enum {unknown} */
   facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
   file?: string | null;
   /** @description GNU build id of `file`, hexadecimal */
   file_build_id?: unknown;
   ip: number;
   /** @enum {unknown} */
   level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
   pid: number;
   /** @description What was read of the process while it existed: `executable`, `build_id`, `uid`, `parent` (`pid`, `name`, `executable`), `unit`, `container` (`id`, `runtime`), `pod` (`uid`). Absent members are not known */
   process?: unknown;
   procname: string;
   /** @description Name of the fatal signal of the same crash */
   signal?: unknown;
   /** @description `si_code` of the signal: positive for a fault, 0 or negative when a process sent it */
   signal_code?: unknown;
   sp: number;
   /** @description Registers of the dump of the same crash, as in LinuxFatalSignal */
   stack_dump?: unknown;
   trap: components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption1"] | components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption2"] | components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption3"] | components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption4"];
   /** @enum {unknown} */
   type: "LinuxKernelTrap";
   /** @description List of addresses, hexadecimal: the instruction pointer, then return addresses */
   user_stack?: unknown;
   vmasize?: number | null;
   vmastart?: number | null;
  };
  SubmitEventsRequestOption1EventOption2Errcode: {
   /** @enum {unknown} */
   access_mode: "Kernel" | "User";
   /** @enum {unknown} */
   access_type: "Read" | "Write";
   instruction_fetch: boolean;
   protection_keys_block_access: boolean;
   /** @enum {unknown} */
   reason: "NoPageFound" | "ProtectionFault";
   use_of_reserved_bit: boolean;
  };
  SubmitEventsRequestOption1EventOption2TrapOption1: {
   description: string;
   /** @enum {unknown} */
   type: "Generic";
  };
  SubmitEventsRequestOption1EventOption2TrapOption2: {
   location: number;
   /** @enum {unknown} */
   type: "Segfault";
  };
  SubmitEventsRequestOption1EventOption2TrapOption3: {
   /** @enum {unknown} */
   type: "InvalidOpcode";
  };
  SubmitEventsRequestOption1EventOption2TrapOption4: {
   /** @enum {unknown} */
   type: "GeneralProtectionFault";
  };
  SubmitEventsRequestOption1EventOption3: {
   /** @enum {unknown} */
   facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
   /** @description File that is mapped at the instruction pointer */
   file?: unknown;
   /** @description GNU build id of `file`, hexadecimal */
   file_build_id?: unknown;
   /** @enum {unknown} */
   level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
   /** @description What was read of the process while it existed: `executable`, `build_id`, `uid`, `parent` (`pid`, `name`, `executable`), `unit`, `container` (`id`, `runtime`), `pod` (`uid`). Absent members are not known */
   process?: unknown;
   /** @enum {unknown} */
   signal: "SIGHUP" | "SIGINT" | "SIGQUIT" | "SIGILL" | "SIGTRAP" | "SIGIOT" | "SIGBUS" | "SIGFPE" | "SIGKILL" | "SIGUSR1" | "SIGSEGV" | "SIGUSR2" | "SIGPIPE" | "SIGALRM" | "SIGTERM" | "SIGSTKFLT" | "SIGCHLD" | "SIGCONT" | "SIGSTOP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGXCPU" | "SIGXFSZ" | "SIGVTALRM" | "SIGPROF" | "SIGWINCH" | "SIGIO" | "SIGPWR";
   /** @description `si_code` of the signal: positive for a fault, 0 or negative when a process sent it */
   signal_code?: unknown;
   stack_dump: {
    [key: string]: string;
   };
   /** @enum {unknown} */
   type: "LinuxFatalSignal";
   /** @description List of addresses, hexadecimal: the instruction pointer, then return addresses */
   user_stack?: unknown;
   /** @description Size of that mapping */
   vmasize?: unknown;
   /** @description Address at which that file is mapped */
   vmastart?: unknown;
  };
  SubmitEventsRequestOption1EventOption4: {
   count: number;
   /** @enum {unknown} */
   facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
   function_name: string;
   /** @enum {unknown} */
   level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
   /** @enum {unknown} */
   type: "LinuxSuppressedCallback";
  };
  SubmitEventsRequestOption1EventOption5: {
   expected_value: string;
   key: string;
   observed_value: string;
   /** @enum {unknown} */
   type: "ConfigMismatch";
  };
  SubmitEventsResponse: {
   /** @description number of stored events */
   accepted: number;
   /** @description the first 1000 rejected events, in order */
   rejected: components["schemas"]["SubmitEventsResponseRejectedItem"][];
   /** @description total number of rejected events */
   rejectedTotal: number;
  };
  SubmitEventsResponse2: {
   /** @description number of stored events */
   accepted?: number;
   docsUrl?: string;
   hint?: string;
   issues: components["schemas"]["ErrorEnvelopeIssuesItem"][];
   /** @description the first 1000 rejected events, in order */
   rejected?: components["schemas"]["SubmitEventsResponseRejectedItem"][];
   /** @description total number of rejected events */
   rejectedTotal?: number;
   /** @description also the header x-request-id */
   requestId: string;
  };
  SubmitEventsResponseRejectedItem: {
   code: string;
   /** @description index of the element, from 0 */
   index: number;
   message: string;
   /** @description JSON path within the element */
   path: string;
  };
  SummarizeDetectionsResponse: {
   /** @description Number of detections that match the filters */
   detections: number;
   /** @description start of the first bucket */
   from: string;
   /** @description The 50 most frequent */
   hosts: ({
     /** @description Number of detections */
     detections: number;
     hostname: string | null;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     open: number;
    })[];
   /** @description Number of detections that are neither closed nor silenced by an exception */
   open: number;
   /** @description The 50 most frequent */
   programs: ({
     /** @description Number of detections */
     detections: number;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     open: number;
     procname: string | null;
    })[];
   /** @description Most frequent first */
   rules: {
     /** @description Number of detections */
     detections: number;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     open: number;
     rule: string;
    }[];
   /** @description One entry for each bucket, by time of the latest evidence */
   series: {
     /** @description Start of the bucket */
     at: string;
     /** @description Number of detections for each severity; severities without detections are omitted */
     bySeverity: {
      [key: string]: number;
     };
    }[];
   /** @description Most frequent first */
   severities: {
     /** @description Number of detections */
     detections: number;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     open: number;
     severity: string;
    }[];
   /** @description Number of detections that are silenced by an exception */
   silenced: number;
   /** @description Most frequent first */
   statuses: {
     /** @description Number of detections */
     detections: number;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     open: number;
     status: string;
    }[];
   /** @description length of a bucket in seconds */
   stepSeconds: number;
   /** @description end of the last bucket */
   to: string;
   /** @description Most frequent first */
   verdicts: ({
     /** @description Number of detections */
     detections: number;
     /** @description Number of detections that are neither closed nor silenced by an exception */
     open: number;
     verdict: string | null;
    })[];
  };
  SummarizeEventsResponse: {
   /** @description Number of distinct crashes, counted as detections count them; null without the filter `detection` */
   crashes: number | null;
   /** @description Number of events that match the filters */
   events: number;
   /** @description The 50 most frequent */
   files: ({
     /** @description Number of events */
     events: number;
     file: string | null;
    })[];
   /** @description start of the first bucket */
   from: string;
   /** @description The 50 most frequent */
   hosts: ({
     /** @description Number of events */
     events: number;
     hostname: string | null;
    })[];
   /** @description The 50 most frequent */
   programs: ({
     /** @description Number of events */
     events: number;
     procname: string | null;
    })[];
   /** @description One entry for each bucket */
   series: {
     /** @description Start of the bucket */
     at: string;
     /** @description Number of events for each type; types without events are omitted */
     byType: {
      [key: string]: number;
     };
    }[];
   /** @description length of a bucket in seconds */
   stepSeconds: number;
   /** @description end of the last bucket */
   to: string;
   /** @description Most frequent first */
   types: {
     /** @description Number of events */
     events: number;
     type: string;
    }[];
  };
  SuspendExecutionResponse: {
   executionId: string;
   /**
   * @description suspension-requested: its running tasks have to end first, or it is still queued
   * @enum {string}
   */
   status: "suspended" | "suspension-requested" | "already-suspended" | "cancellation-requested" | "already-terminal";
   /** @enum {string} */
   wasStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  TestOutputResponse: {
   /** @description Response of the receiver, or the reason why it did not respond */
   answer: string;
   ms: number;
   /** @description Whether the receiver accepted the message */
   ok: boolean;
  };
  Trigger: {
   enabled: boolean;
   /** @description trg_… */
   id: string;
   /**
   * @description schedule: at fixed times. after: after the end of the last execution. event: on matching events. webhook: on a signed request
   * @enum {string}
   */
   kind: "schedule" | "after" | "event" | "webhook";
   /** @description last time at which the trigger started an execution */
   lastAt: string | null;
   /** @description scheduled times that were missed because no worker was running */
   missed: number;
   /** @description next time of a schedule */
   nextAt: string | null;
   /** @description why the trigger does not work */
   problem: string | null;
   /** @description parameters of the trigger from the definition; times are UTC */
   spec: {
    [key: string]: unknown;
   };
  };
  UndoDetectionChangesRequest: {
   /** @description Detections, at most 1,000 */
   detections: {
     /** @description ETag from the response of the change. If it is not the current one, nothing is undone */
     etag: string;
     /** @description Id of a detection */
     id: string;
    }[];
  };
  UndoDetectionChangesResponse: {
   /** @description In the order of the request or list */
   results: components["schemas"]["ChangeDetectionsResponseResultsItem"][];
  };
  Wait: {
   /** @description null: the execution is that of a workflow */
   agent: ({
    id: string;
    name: string;
    summary: string | null;
    title: string | null;
   }) | null;
   /** @description approvers, as named by the workflow; null: it names none */
   approval: ({
    /** @description empty: everyone with the right to approve */
    approvers: ({
      user: string;
     } | {
      team: string;
     } | ({
      /** @enum {string} */
      role: "user" | "analyst" | "admin";
     }))[];
    /** @description number of different users that must approve */
    count: number;
    except: ("starter" | "lastEditor")[];
   }) | null;
   decisions: ({
     approved: boolean;
     by: string;
     note: string | null;
    })[];
   /** @description exec_… */
   executionId: string;
   filters: {
     correlate: {
      [key: string]: {
       /** @description value that the expression must return; absent: the value for the first event */
       expect?: unknown;
       /** @description expression on the event */
       from: string;
      };
     };
     /** @description attributes that an event must have. A string can be a regular expression; expressions are not evaluated */
     with: {
      [key: string]: unknown;
     };
    }[];
   /** @description input of the execution; omitted if it is larger than 16 KiB */
   input?: unknown;
   /** @description whether the caller may decide and has not yet decided */
   mayDecide: boolean;
   /**
   * @description whether an event for one filter suffices, or each filter needs one
   * @enum {string}
   */
   mode: "one" | "any" | "all";
   since: string;
   /** @description path of the step in the definition */
   step: string;
   /** @description tool call that needs a decision; null: the wait is not for a tool call */
   toolCall: {
    /** @description JSON, without values of secrets. Untrusted: the agent chose the arguments, possibly from data of an attacker */
    arguments: string;
    /** @description time at which the call is rejected if there is no decision */
    expiresAt: string;
    tool: string;
    /** @description true if the arguments were truncated */
    truncated: boolean;
   } | null;
   /** @description unique in its execution */
   wait: string;
   /** @description null: the execution is that of an agent */
   workflow: ({
    id: string;
    name: string;
    summary: string | null;
    title: string | null;
   }) | null;
  };
  WholeCase: {
   /** @description Time at which the case was first in progress, closed or assigned */
   acknowledgedAt: string | null;
   /** @description Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned */
   assignee: string | null;
   /** @description Campaign detection that opened the case; null: a user opened it */
   campaign: string | null;
   /** @description Time of the last change of its fields, detections, tasks or files */
   changedAt: string;
   closedAt: string | null;
   createdAt: string;
   /** @description user:<id>, key:<keyId>, operator or system */
   createdBy: string;
   /** @description Markdown; null: none */
   description: string | null;
   /** @description Linked detections, in the order in which they were added */
   detectionIds: string[];
   /** @description Number of linked detections */
   detections: number;
   /** @description ETag for If-Match. It covers the fields of the case, but not its detections, tasks and files */
   etag: string;
   /** @description Evidence files, oldest first */
   files: components["schemas"]["CaseFile"][];
   /** @description Id of a case */
   id: string;
   /** @description Number to refer to the case by: 1, 2, 3 …; numbers can be missing */
   number: number;
   /**
   * @description Reason for closing; null: the case is not closed
   * @enum {string|null}
   */
   reason: "resolved" | "false_positive" | "benign" | "duplicate" | null;
   /**
   * @description Severity of the case, which can differ from that of its detections
   * @enum {string}
   */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /**
   * @description Status of the work
   * @enum {string}
   */
   status: "open" | "in_progress" | "closed";
   /** @description Tasks, in order */
   taskList: components["schemas"]["CaseTask"][];
   /** @description Number of tasks */
   tasks: number;
   /** @description Number of completed tasks */
   tasksDone: number;
   /** @description Seconds from opening to acknowledgement; null: not yet acknowledged */
   timeToAcknowledge: number | null;
   /** @description Seconds from opening to the last closing; null: the case is not closed */
   timeToClose: number | null;
   /** @description Title of the case */
   title: string;
  };
  Workflow: {
   /** @description true: the workflow is deleted, so it is neither listed nor run. Absent: it is active */
   archived?: boolean;
   /** @description RFC 3339 */
   createdAt: string;
   /** @description wf_… */
   id: string;
   /** @enum {string} */
   kind: "workflow" | "block";
   /** @description the slug */
   name: string;
   /** @description RFC 3339 */
   updatedAt: string;
   /** @description tag of the current release */
   version: string;
  };
  WorkflowExecution: {
   /** @description RFC 3339 */
   completedAt?: string;
   /** @description RFC 3339 */
   createdAt: string;
   durationMs?: number;
   error?: string;
   executionId: string;
   /** @description exec_… */
   id: string;
   result?: unknown;
   /** @description RFC 3339 */
   startedAt?: string;
   /** @description With include=startedBy: the user, key, trigger or execution that started it; null: unknown */
   startedBy?: ({
    /** @description Execution whose step started this one */
    executionId: string | null;
    /** @description console, key, operator, schedule, webhook, event, detection, workflow, agent … */
    how: string;
    /** @description Label of the API key, visible to its owner and to administrators */
    keyLabel: string | null;
    /** @description Username, for a start in the console or by a key; null: the account was deleted */
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   /** @description only with includeSteps=true */
   steps?: components["schemas"]["ExecutionStep"][];
   triggerInput?: unknown;
   /** @description api, cli, schedule, webhook, event, detection, workflow, rerun … */
   triggerType?: string;
   workflow: {
    id: string;
    name: string;
   } | null;
   workflowId: string;
  };
  WorkflowVersion: {
   /** @description RFC 3339 */
   createdAt: string;
   /** @description wfh_… */
   id: string;
   isCurrent: boolean;
   /** @description the tag */
   version: string;
   workflowId: string;
   /** @description omitted in lists if it is larger than 256 KiB */
   yamlContent?: string;
  };
  WorkspaceVersion: {
   /** @description SHA-256 of all paths and contents */
   commit: string;
   /** @description RFC 3339 with milliseconds */
   createdAt: string;
   isCurrent: boolean;
   /** @description 1, 2, 3 … with each change */
   version: number;
  };
 };
 responses: never;
 parameters: never;
 requestBodies: never;
 headers: never;
 pathItems: never;
};

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export type operations = Record<string, never>;
