// Generated from the OpenAPI description of the API; see ../../README.md. Not to be edited.
export type paths = {
 "/api/admin/api-keys/{keyId}": {
  delete: {
   parameters: {
    path: {
     keyId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/admin/audit-log": {
  get: {
   parameters: {
    query?: {
     actor?: string;
     target?: string;
     action?: string;
     from?: string;
     to?: string;
     limit?: string;
     offset?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         action: string;
         actor: string;
         actorName: string | null;
         at: string;
         diff: {
          [key: string]: unknown;
         };
         hash: string;
         id: number;
         ip: string;
         requestId: string;
         target: string;
         targetName: string | null;
         userAgent: string;
        })[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/admin/audit-log/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       action: string;
       actor: string;
       actorName: string | null;
       at: string;
       diff: {
        [key: string]: unknown;
       };
       hash: string;
       id: number;
       ip: string;
       requestId: string;
       target: string;
       targetName: string | null;
       userAgent: string;
      };
     };
    };
   };
  };
 };
 "/api/admin/audit-log/verify": {
  get: {
   parameters: {
    query?: {
     expect?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       broken: ({
        /** @enum {string} */
        fault: "altered" | "missing" | "unlinked" | "unexpected";
        id: number;
       }) | null;
       head: {
        hash: string;
        id: number;
       };
       verified: number;
      };
     };
    };
   };
  };
 };
 "/api/admin/users": {
  get: {
   parameters: {
    query?: {
     q?: string;
     role?: "user" | "analyst" | "admin";
     disabled?: "true" | "false";
     limit?: string;
     offset?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         createdAt: string;
         disabled: boolean;
         email: string;
         emailVerified: boolean;
         endDate: string | null;
         failedLoginAttempts: number;
         id: string;
         image: string | null;
         lockUntil: string | null;
         /** @enum {string} */
         role: "user" | "analyst" | "admin";
         updatedAt: string;
         username: string;
        })[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
      emailVerified?: boolean;
      password?: string;
      /** @enum {string} */
      role?: "user" | "analyst" | "admin";
      username: string;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       createdAt: string;
       disabled: boolean;
       email: string;
       emailVerified: boolean;
       endDate: string | null;
       failedLoginAttempts: number;
       id: string;
       image: string | null;
       lockUntil: string | null;
       /** @enum {string} */
       role: "user" | "analyst" | "admin";
       updatedAt: string;
       username: string;
      };
     };
    };
   };
  };
 };
 "/api/admin/users/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       activeKeys: number;
       createdAt: string;
       disabled: boolean;
       email: string;
       emailVerified: boolean;
       endDate: string | null;
       failedLoginAttempts: number;
       id: string;
       image: string | null;
       lockUntil: string | null;
       /** @enum {string} */
       role: "user" | "analyst" | "admin";
       updatedAt: string;
       username: string;
      };
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      disabled?: boolean;
      endDate?: string | null;
      /** @enum {string} */
      role?: "user" | "analyst" | "admin";
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       disabled: boolean;
       email: string;
       emailVerified: boolean;
       endDate: string | null;
       failedLoginAttempts: number;
       id: string;
       image: string | null;
       lockUntil: string | null;
       /** @enum {string} */
       role: "user" | "analyst" | "admin";
       updatedAt: string;
       username: string;
      };
     };
    };
   };
  };
 };
 "/api/admin/users/{id}/api-keys": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         createdAt: string;
         expiresAt: string | null;
         keyId: string;
         label: string;
         lastUsedAt: string | null;
         revoked: boolean;
         scopes: string[];
        })[];
      };
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      expiresAt?: string;
      label: string;
      scopes?: ("scrapers" | "events:write" | "detections:read" | "detections:write" | "workflows:read" | "workflows:run" | "workflows:write" | "agents:read" | "agents:run" | "agents:write" | "admin")[];
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       apiKey: string;
       expiresAt: string | null;
       keyId: string;
       label: string;
       scopes: ("scrapers" | "events:write" | "detections:read" | "detections:write" | "workflows:read" | "workflows:run" | "workflows:write" | "agents:read" | "agents:run" | "agents:write" | "admin")[];
      };
     };
    };
   };
  };
 };
 "/api/admin/users/{id}/api-keys/{keyId}": {
  delete: {
   parameters: {
    path: {
     id: string;
     keyId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/admin/users/{id}/disable": {
  post: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       disabled: boolean;
       email: string;
       emailVerified: boolean;
       endDate: string | null;
       failedLoginAttempts: number;
       id: string;
       image: string | null;
       lockUntil: string | null;
       /** @enum {string} */
       role: "user" | "analyst" | "admin";
       updatedAt: string;
       username: string;
      };
     };
    };
   };
  };
 };
 "/api/admin/users/{id}/enable": {
  post: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       disabled: boolean;
       email: string;
       emailVerified: boolean;
       endDate: string | null;
       failedLoginAttempts: number;
       id: string;
       image: string | null;
       lockUntil: string | null;
       /** @enum {string} */
       role: "user" | "analyst" | "admin";
       updatedAt: string;
       username: string;
      };
     };
    };
   };
  };
 };
 "/api/admin/users/{id}/quota": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         description: string;
         own: boolean;
         quota: number | null;
         /** @enum {string} */
         resource: "storage_bytes" | "agents" | "workflows" | "versions" | "api_keys" | "executions" | "execution_bytes" | "events";
         used: number;
        })[];
      };
     };
    };
   };
  };
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      quotas: {
       [key: string]: (number | null) | "default";
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         description: string;
         own: boolean;
         quota: number | null;
         /** @enum {string} */
         resource: "storage_bytes" | "agents" | "workflows" | "versions" | "api_keys" | "executions" | "execution_bytes" | "events";
         used: number;
        })[];
      };
     };
    };
   };
  };
 };
 "/api/auth/callback/{provider}": {
  get: {
   parameters: {
    query?: {
     state?: string;
     code?: string;
     error?: string;
     iss?: string;
    };
    path: {
     provider: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       apiKey: string;
       apiKeyId: string;
       returnTo: string;
       user: {
        email: string;
        id: string;
        /** @enum {string} */
        role: "user" | "analyst" | "admin";
        username: string;
       };
      };
     };
    };
   };
  };
 };
 "/api/auth/callback/credentials": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
      password: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       user: {
        createdAt: string;
        email: string;
        emailVerified: boolean;
        id: string;
        image: string | null;
        /** @enum {string} */
        role: "user" | "analyst" | "admin";
        username: string;
       };
      };
     };
    };
   };
  };
 };
 "/api/auth/forgot-password": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       message: string;
      };
     };
    };
   };
  };
 };
 "/api/auth/providers": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       data: {
         id: string;
         name: string;
         url: string;
        }[];
       /** @enum {string} */
       registration: "open" | "restricted" | "closed";
      };
     };
    };
   };
  };
 };
 "/api/auth/reset-password": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      password: string;
      token: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       message: string;
      };
     };
    };
   };
  };
 };
 "/api/auth/send-otp": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       message: string;
      };
     };
    };
   };
  };
 };
 "/api/auth/sign-out": {
  post: {
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/auth/signin/{provider}": {
  get: {
   parameters: {
    query?: {
     returnTo?: string;
    };
    path: {
     provider: string;
    };
   };
   responses: {
   };
  };
 };
 "/api/auth/verify-otp": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      email: string;
      otp: string;
      password: string;
      username: string;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       apiKey: string;
       apiKeyId: string;
       user: {
        createdAt: string;
        email: string;
        emailVerified: boolean;
        id: string;
        image: string | null;
        /** @enum {string} */
        role: "user" | "analyst" | "admin";
        username: string;
       };
      };
     };
    };
   };
  };
 };
 "/api/codehost/repo": {
  get: {
   parameters: {
    query: {
     owner: string;
     name: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       cached: boolean;
       data: {
        archived: boolean | null;
        createdAt: string | null;
        defaultBranch: string | null;
        description: string | null;
        fork: boolean | null;
        forks: number | null;
        fullName: string | null;
        homepage: string | null;
        id: number | null;
        language: string | null;
        license: string | null;
        name: string;
        openIssues: number | null;
        owner: string | null;
        pushedAt: string | null;
        stars: number | null;
        topics: string[];
        updatedAt: string | null;
        url: string | null;
       };
       stale?: boolean;
      };
     };
    };
   };
  };
 };
 "/api/codehost/repos": {
  get: {
   parameters: {
    query: {
     username: string;
     page?: number;
     perPage?: number;
     sort?: "created" | "updated" | "pushed" | "full_name";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       cached: boolean;
       data: ({
         archived: boolean | null;
         createdAt: string | null;
         defaultBranch: string | null;
         description: string | null;
         fork: boolean | null;
         forks: number | null;
         fullName: string | null;
         homepage: string | null;
         id: number | null;
         language: string | null;
         license: string | null;
         name: string;
         openIssues: number | null;
         owner: string | null;
         pushedAt: string | null;
         stars: number | null;
         topics: string[];
         updatedAt: string | null;
         url: string | null;
        })[];
       pagination: {
        nextPage: number | null;
        page: number;
        perPage: number;
       };
       stale?: boolean;
      };
     };
    };
   };
  };
 };
 "/api/codehost/user": {
  get: {
   parameters: {
    query: {
     username: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       cached: boolean;
       data: {
        avatarUrl: string | null;
        bio: string | null;
        blog: string | null;
        company: string | null;
        createdAt: string | null;
        followers: number | null;
        following: number | null;
        id: number | null;
        location: string | null;
        login: string;
        name: string | null;
        publicRepos: number | null;
        type: string | null;
        updatedAt: string | null;
        url: string | null;
       };
       stale?: boolean;
      };
     };
    };
   };
  };
 };
 "/api/dashboard/executions": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       from: string;
       kinds: ({
         /** @enum {string} */
         kind: "workflow" | "agent";
         series: {
           accepted: number;
           at: string;
           cancelled: number;
           completed: number;
           failed: number;
          }[];
        })[];
       stepSeconds: number;
       to: string;
      };
     };
    };
   };
  };
 };
 "/api/dashboard/ips": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       addresses: {
         errors: number;
         firstAt: string;
         ip: string;
         lastAt: string;
         limited: number;
         requests: number;
         users: number;
        }[];
       from: string;
       series: {
         addresses: number;
         at: string;
         requests: number;
        }[];
       stepSeconds: number;
       to: string;
      };
     };
    };
   };
  };
 };
 "/api/dashboard/pipeline": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       codes: {
         code: string;
         deadLetters: number;
        }[];
       from: string;
       rules: {
         detections: number;
         rule: string;
         severity: string;
        }[];
       series: {
         at: string;
         deadLetters: number;
         detections: number;
         events: number;
        }[];
       stepSeconds: number;
       to: string;
       totals: {
        deadLetters: number;
        detections: number;
        events: number;
       };
      };
     };
    };
   };
  };
 };
 "/api/dashboard/queue": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       from: string;
       queues: {
         done: number;
         failed: number;
         oldestReadyMs: number;
         queue: string;
         ready: number;
         running: number;
         scheduled: number;
        }[];
       series: {
         at: string;
         done: number;
         failed: number;
         started: number;
        }[];
       stepSeconds: number;
       to: string;
      };
     };
    };
   };
  };
 };
 "/api/dashboard/requests": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       errors: number;
       from: string;
       routes: {
         errors: number;
         method: string;
         p95Ms: number;
         requests: number;
         route: string;
        }[];
       series: ({
         at: string;
         clientErrors: number;
         p50Ms: number | null;
         p95Ms: number | null;
         p99Ms: number | null;
         requests: number;
         serverErrors: number;
        })[];
       stepSeconds: number;
       to: string;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/dashboard/system": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       from: string;
       series: {
         at: string;
         cpuPercent: number;
         eventLoopPercent: number;
         heapUsedBytes: number;
         memoryBytes: number;
        }[];
       stepSeconds: number;
       to: string;
       uptimeSeconds: number;
      };
     };
    };
   };
  };
 };
 "/api/dead-letters": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
     q?: string;
     code?: "empty_record" | "record_too_large" | "invalid_utf8" | "malformed_json" | "nested_too_deep" | "not_an_object" | "version_missing" | "version_not_a_string" | "version_unknown" | "field_missing" | "wrong_type" | "not_in_enumeration" | "unknown_variant" | "not_an_integer" | "negative_integer" | "integer_out_of_range" | "invalid_timestamp" | "timestamp_out_of_range" | "ambiguous_justification" | "frame_truncated" | "schema_unknown" | "schema_not_ours" | "registry_unavailable";
     topic?: string;
     status?: "open" | "redriven";
     limit?: string;
     cursor?: string;
     format?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         code: string;
         id: string;
         message: string;
         offset: number;
         partition: number;
         path: string;
         raw: string;
         /** @enum {string} */
         rawEncoding: "utf8" | "base64";
         received: string;
         redriven: string | null;
         topic: string;
         [key: string]: unknown;
        })[];
       limit: number;
       nextCursor: string | null;
      };
     };
    };
   };
  };
 };
 "/api/dead-letters/{id}": {
  get: {
   parameters: {
    query?: {
     format?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       code: string;
       id: string;
       message: string;
       offset: number;
       partition: number;
       path: string;
       raw: string;
       /** @enum {string} */
       rawEncoding: "utf8" | "base64";
       received: string;
       redriven: string | null;
       topic: string;
       [key: string]: unknown;
      };
     };
    };
   };
  };
 };
 "/api/dead-letters/redrive": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      cursor?: string;
      filter?: {
       /** @enum {string} */
       code?: "empty_record" | "record_too_large" | "invalid_utf8" | "malformed_json" | "nested_too_deep" | "not_an_object" | "version_missing" | "version_not_a_string" | "version_unknown" | "field_missing" | "wrong_type" | "not_in_enumeration" | "unknown_variant" | "not_an_integer" | "negative_integer" | "integer_out_of_range" | "invalid_timestamp" | "timestamp_out_of_range" | "ambiguous_justification" | "frame_truncated" | "schema_unknown" | "schema_not_ours" | "registry_unavailable";
       from?: string;
       q?: string;
       /** @enum {string} */
       status?: "open" | "redriven";
       to?: string;
       topic?: string;
      };
      ids?: string[];
      limit?: number;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       nextCursor: string | null;
       results: ({
         code?: string;
         id: string;
         message?: string;
         /** @enum {string} */
         outcome: "accepted" | "rejected" | "already_redriven" | "not_found" | "queue_full";
         path?: string;
        })[];
      };
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
      "application/json": {
       events: number;
      };
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
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     detection?: string;
     q?: string;
     rule?: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
     severity?: "info" | "low" | "medium" | "high" | "critical";
     status?: "new" | "acknowledged" | "closed";
     limit?: string;
     cursor?: string;
     format?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         assignee: string | null;
         attack: {
           name: string;
           tactic: string;
           technique: string;
          }[];
         crashes: number;
         event: unknown;
         evidenceCount: number;
         exception: string | null;
         file: string | null;
         firstSeen: string;
         hostname: string | null;
         id: string;
         lastSeen: string;
         message: string;
         note: string | null;
         procname: string | null;
         register: string | null;
         revision: number;
         rule: {
          /** @enum {string} */
          id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
          name: string;
          version: number;
         };
         /** @enum {string} */
         severity: "info" | "low" | "medium" | "high" | "critical";
         /** @enum {string} */
         status: "new" | "acknowledged" | "closed";
         suppressedAtLeast: number;
         values: string[];
         valuesTotal: number;
         /** @enum {string|null} */
         verdict: "true_positive" | "false_positive" | "benign" | null;
        })[];
       limit: number;
       nextCursor: string | null;
      };
     };
    };
   };
  };
 };
 "/api/detections/{id}": {
  get: {
   parameters: {
    query?: {
     format?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       assignee: string | null;
       attack: {
         name: string;
         tactic: string;
         technique: string;
        }[];
       crashes: number;
       event: unknown;
       evidence: ({
         event: {
          event: {
           type: string;
           [key: string]: unknown;
          };
          hostname?: string | null;
          timestamp: string;
          version: string;
          [key: string]: unknown;
         };
         hex: {
          ip?: string;
          location?: string;
          sp?: string;
          vmastart?: string;
         };
         id: string;
         offset: number;
         partition: number;
         received: string;
         time: string;
         topic: string;
        })[];
       evidenceComplete: boolean;
       evidenceCount: number;
       exception: string | null;
       file: string | null;
       firstSeen: string;
       hostname: string | null;
       id: string;
       lastSeen: string;
       message: string;
       note: string | null;
       procname: string | null;
       register: string | null;
       revision: number;
       rule: {
        /** @enum {string} */
        id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
        name: string;
        version: number;
       };
       /** @enum {string} */
       severity: "info" | "low" | "medium" | "high" | "critical";
       /** @enum {string} */
       status: "new" | "acknowledged" | "closed";
       suppressedAtLeast: number;
       values: string[];
       valuesTotal: number;
       /** @enum {string|null} */
       verdict: "true_positive" | "false_positive" | "benign" | null;
      };
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      assignee?: string | null;
      note?: string | null;
      /** @enum {string} */
      status?: "new" | "acknowledged" | "closed";
      /** @enum {string|null} */
      verdict?: "true_positive" | "false_positive" | "benign" | null;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       assignee: string | null;
       attack: {
         name: string;
         tactic: string;
         technique: string;
        }[];
       crashes: number;
       event: unknown;
       evidenceCount: number;
       exception: string | null;
       file: string | null;
       firstSeen: string;
       hostname: string | null;
       id: string;
       lastSeen: string;
       message: string;
       note: string | null;
       procname: string | null;
       register: string | null;
       revision: number;
       rule: {
        /** @enum {string} */
        id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
        name: string;
        version: number;
       };
       /** @enum {string} */
       severity: "info" | "low" | "medium" | "high" | "critical";
       /** @enum {string} */
       status: "new" | "acknowledged" | "closed";
       suppressedAtLeast: number;
       values: string[];
       valuesTotal: number;
       /** @enum {string|null} */
       verdict: "true_positive" | "false_positive" | "benign" | null;
      };
     };
    };
   };
  };
 };
 "/api/detections/{id}/history": {
  get: {
   parameters: {
    query?: {
     limit?: string;
     cursor?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         actor: string;
         after: {
          assignee?: string | null;
          note?: string | null;
          /** @enum {string} */
          status?: "new" | "acknowledged" | "closed";
          /** @enum {string|null} */
          verdict?: "true_positive" | "false_positive" | "benign" | null;
         };
         at: string;
         automation: string | null;
         before: {
          assignee?: string | null;
          note?: string | null;
          /** @enum {string} */
          status?: "new" | "acknowledged" | "closed";
          /** @enum {string|null} */
          verdict?: "true_positive" | "false_positive" | "benign" | null;
         };
         executionId: string | null;
         username: string | null;
         version: number;
        })[];
       limit: number;
       nextCursor: string | null;
      };
     };
    };
   };
  };
 };
 "/api/detections/bulk": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      change: {
       assignee?: string | null;
       note?: string | null;
       /** @enum {string} */
       status?: "new" | "acknowledged" | "closed";
       /** @enum {string|null} */
       verdict?: "true_positive" | "false_positive" | "benign" | null;
      };
      detections: ({
        etag?: string;
        id: string;
        seen?: {
         assignee?: string | null;
         note?: string | null;
         /** @enum {string} */
         status?: "new" | "acknowledged" | "closed";
         /** @enum {string|null} */
         verdict?: "true_positive" | "false_positive" | "benign" | null;
        };
       })[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       results: ({
         etag: string | null;
         id: string;
         /** @enum {string} */
         outcome: "updated" | "unchanged" | "changed_meanwhile" | "not_found";
        })[];
      };
     };
    };
   };
  };
 };
 "/api/detections/stream": {
  get: {
   parameters: {
    query?: {
     rule?: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
     severity?: "info" | "low" | "medium" | "high" | "critical";
     hostname?: string;
     procname?: string;
     lastEventId?: string;
    };
    header?: {
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
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     detection?: string;
     q?: string;
     rule?: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
     severity?: "info" | "low" | "medium" | "high" | "critical";
     status?: "new" | "acknowledged" | "closed";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       detections: number;
       from: string;
       hosts: ({
         detections: number;
         hostname: string | null;
         open: number;
        })[];
       open: number;
       programs: ({
         detections: number;
         open: number;
         procname: string | null;
        })[];
       rules: {
         detections: number;
         open: number;
         rule: string;
        }[];
       series: {
         at: string;
         bySeverity: {
          [key: string]: number;
         };
        }[];
       severities: {
         detections: number;
         open: number;
         severity: string;
        }[];
       silenced: number;
       statuses: {
         detections: number;
         open: number;
         status: string;
        }[];
       stepSeconds: number;
       to: string;
       verdicts: ({
         detections: number;
         open: number;
         verdict: string | null;
        })[];
      };
     };
    };
   };
  };
 };
 "/api/docs": {
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
 "/api/events": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     detection?: string;
     q?: string;
     type?: "RegisterProbe" | "LinuxKernelTrap" | "LinuxFatalSignal" | "LinuxSuppressedCallback" | "ConfigMismatch";
     limit?: string;
     cursor?: string;
     format?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         event: {
          event: {
           type: string;
           [key: string]: unknown;
          };
          hostname?: string | null;
          timestamp: string;
          version: string;
          [key: string]: unknown;
         };
         hex: {
          ip?: string;
          location?: string;
          sp?: string;
          vmastart?: string;
         };
         id: string;
         offset: number;
         partition: number;
         received: string;
         time: string;
         topic: string;
        })[];
       limit: number;
       nextCursor: string | null;
      };
     };
    };
   };
  };
  post: {
   parameters: {
    header?: {
     "idempotency-key"?: string;
    };
   };
   requestBody: {
    content: {
     "application/json": OneOf<[{
      event: OneOf<[{
       justification: {
        EventCount?: number;
        FullEvents?: Record<string, never>[];
        RegisterValues?: string[];
       };
       message: string;
       procname: string;
       register: string;
       /** @enum {unknown} */
       type: "RegisterProbe";
      }, {
       errcode: {
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
       /** @enum {unknown} */
       facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
       file?: string | null;
       ip: number;
       /** @enum {unknown} */
       level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
       pid: number;
       procname: string;
       sp: number;
       trap: OneOf<[{
        description: string;
        /** @enum {unknown} */
        type: "Generic";
       }, {
        location: number;
        /** @enum {unknown} */
        type: "Segfault";
       }, {
        /** @enum {unknown} */
        type: "InvalidOpcode";
       }, {
        /** @enum {unknown} */
        type: "GeneralProtectionFault";
       }]>;
       /** @enum {unknown} */
       type: "LinuxKernelTrap";
       vmasize?: number | null;
       vmastart?: number | null;
      }, {
       /** @enum {unknown} */
       facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
       /** @enum {unknown} */
       level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
       /** @enum {unknown} */
       signal: "SIGHUP" | "SIGINT" | "SIGQUIT" | "SIGILL" | "SIGTRAP" | "SIGIOT" | "SIGBUS" | "SIGFPE" | "SIGKILL" | "SIGUSR1" | "SIGSEGV" | "SIGUSR2" | "SIGPIPE" | "SIGALRM" | "SIGTERM" | "SIGSTKFLT" | "SIGCHLD" | "SIGCONT" | "SIGSTOP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGXCPU" | "SIGXFSZ" | "SIGVTALRM" | "SIGPROF" | "SIGWINCH" | "SIGIO" | "SIGPWR";
       stack_dump: {
        [key: string]: string;
       };
       /** @enum {unknown} */
       type: "LinuxFatalSignal";
      }, {
       count: number;
       /** @enum {unknown} */
       facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
       function_name: string;
       /** @enum {unknown} */
       level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
       /** @enum {unknown} */
       type: "LinuxSuppressedCallback";
      }, {
       expected_value: string;
       key: string;
       observed_value: string;
       /** @enum {unknown} */
       type: "ConfigMismatch";
      }]>;
      hostname?: string | null;
      timestamp: string;
      /** @enum {unknown} */
      version: "V1";
     }, ({
       event: OneOf<[{
        justification: {
         EventCount?: number;
         FullEvents?: Record<string, never>[];
         RegisterValues?: string[];
        };
        message: string;
        procname: string;
        register: string;
        /** @enum {unknown} */
        type: "RegisterProbe";
       }, {
        errcode: {
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
        /** @enum {unknown} */
        facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
        file?: string | null;
        ip: number;
        /** @enum {unknown} */
        level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
        pid: number;
        procname: string;
        sp: number;
        trap: OneOf<[{
         description: string;
         /** @enum {unknown} */
         type: "Generic";
        }, {
         location: number;
         /** @enum {unknown} */
         type: "Segfault";
        }, {
         /** @enum {unknown} */
         type: "InvalidOpcode";
        }, {
         /** @enum {unknown} */
         type: "GeneralProtectionFault";
        }]>;
        /** @enum {unknown} */
        type: "LinuxKernelTrap";
        vmasize?: number | null;
        vmastart?: number | null;
       }, {
        /** @enum {unknown} */
        facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
        /** @enum {unknown} */
        level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
        /** @enum {unknown} */
        signal: "SIGHUP" | "SIGINT" | "SIGQUIT" | "SIGILL" | "SIGTRAP" | "SIGIOT" | "SIGBUS" | "SIGFPE" | "SIGKILL" | "SIGUSR1" | "SIGSEGV" | "SIGUSR2" | "SIGPIPE" | "SIGALRM" | "SIGTERM" | "SIGSTKFLT" | "SIGCHLD" | "SIGCONT" | "SIGSTOP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGXCPU" | "SIGXFSZ" | "SIGVTALRM" | "SIGPROF" | "SIGWINCH" | "SIGIO" | "SIGPWR";
        stack_dump: {
         [key: string]: string;
        };
        /** @enum {unknown} */
        type: "LinuxFatalSignal";
       }, {
        count: number;
        /** @enum {unknown} */
        facility: "Kern" | "User" | "Mail" | "Daemon" | "Auth" | "Syslog" | "Lpr" | "News" | "UUCP" | "Cron" | "AuthPriv" | "FTP";
        function_name: string;
        /** @enum {unknown} */
        level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
        /** @enum {unknown} */
        type: "LinuxSuppressedCallback";
       }, {
        expected_value: string;
        key: string;
        observed_value: string;
        /** @enum {unknown} */
        type: "ConfigMismatch";
       }]>;
       hostname?: string | null;
       timestamp: string;
       /** @enum {unknown} */
       version: "V1";
      })[]]>;
     "application/x-ndjson": string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       accepted: number;
       rejected: {
         code: string;
         index: number;
         message: string;
         path: string;
        }[];
       rejectedTotal: number;
      };
     };
    };
   };
  };
 };
 "/api/events/{id}": {
  get: {
   parameters: {
    query?: {
     format?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       event: {
        event: {
         type: string;
         [key: string]: unknown;
        };
        hostname?: string | null;
        timestamp: string;
        version: string;
        [key: string]: unknown;
       };
       hex: {
        ip?: string;
        location?: string;
        sp?: string;
        vmastart?: string;
       };
       id: string;
       offset: number;
       partition: number;
       received: string;
       time: string;
       topic: string;
      };
     };
    };
   };
  };
 };
 "/api/events/summary": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     detection?: string;
     q?: string;
     type?: "RegisterProbe" | "LinuxKernelTrap" | "LinuxFatalSignal" | "LinuxSuppressedCallback" | "ConfigMismatch";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       events: number;
       files: ({
         events: number;
         file: string | null;
        })[];
       from: string;
       hosts: ({
         events: number;
         hostname: string | null;
        })[];
       programs: ({
         events: number;
         procname: string | null;
        })[];
       series: {
         at: string;
         byType: {
          [key: string]: number;
         };
        }[];
       stepSeconds: number;
       to: string;
       types: {
         events: number;
         type: string;
        }[];
      };
     };
    };
   };
  };
 };
 "/api/exceptions": {
  get: {
   parameters: {
    query?: {
     ended?: "true" | "false";
     limit?: string;
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         createdAt: string;
         createdBy: string;
         detection: string | null;
         endedAt: string | null;
         endedBy: string | null;
         expires: string | null;
         file: string | null;
         hostname: string | null;
         id: string;
         program: string | null;
         reason: string;
         rule: string | null;
        })[];
       file: {
         file?: string;
         hostname?: string;
         id: string;
         program?: string;
         reason: string;
         rule?: string;
         [key: string]: unknown;
        }[];
       limit: number;
       nextCursor: string | null;
      };
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      detection?: string;
      expires?: string | null;
      file?: string;
      hostname?: string;
      program?: string;
      reason: string;
      rule?: string;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       createdAt: string;
       createdBy: string;
       detection: string | null;
       endedAt: string | null;
       endedBy: string | null;
       expires: string | null;
       file: string | null;
       hostname: string | null;
       id: string;
       program: string | null;
       reason: string;
       rule: string | null;
       silenced: number | null;
      };
     };
    };
   };
  };
 };
 "/api/exceptions/{id}": {
  delete: {
   parameters: {
    path: {
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
 "/api/exceptions/preview": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      detection?: string;
      expires?: string | null;
      file?: string;
      hostname?: string;
      program?: string;
      rule?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       complete: boolean;
       examined: number;
       examples: ({
         file: string | null;
         hostname: string | null;
         id: string;
         lastSeen: string;
         message: string;
         procname: string | null;
         rule: string;
        })[];
       exception: {
        [key: string]: unknown;
       };
       open: number;
       silenced: number;
      };
     };
    };
   };
  };
 };
 "/api/features": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         cacheSeconds: number;
         description: string;
         id: string;
         /** @enum {string} */
         method: "GET";
         parameters: ({
           default?: string | number;
           description: string;
           enum?: string[];
           example?: string | number;
           /** @enum {string} */
           in: "query";
           name: string;
           required: boolean;
           type: string;
          })[];
         path: string;
        })[];
      };
     };
    };
   };
  };
 };
 "/api/health": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       checks: {
        /** @enum {string} */
        clickhouse: "ok" | "down" | "embedded";
        /** @enum {string} */
        kafka: "ok" | "down" | "embedded";
        /** @enum {string} */
        postgres: "ok" | "down" | "embedded";
        /** @enum {string} */
        redis: "ok" | "down" | "embedded";
       };
       /** @enum {string} */
       disk: "ok" | "low" | "unknown";
       landing: {
        lastAt: string | null;
        /** @enum {string} */
        state: "ok" | "failing";
       };
       /** @enum {string} */
       status: "ok" | "degraded" | "down";
      };
     };
    };
   };
  };
 };
 "/api/hosts": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
     hostname?: string;
     q?: string;
     limit?: string;
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         crashes: number;
         detections: number;
         events: number;
         firstSeen: string;
         hostname: string | null;
         lastSeen: string;
         openDetections: number;
         programs: number;
        })[];
       limit: number;
       nextCursor: string | null;
      };
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
      "application/json": {
       data: ({
         createdAt: string;
         createdBy: string;
         enabled: boolean;
         etag: string;
         filter: {
          causes?: ("opened" | "grown" | "closed")[];
          hosts?: string[];
          /** @enum {string} */
          minSeverity?: "info" | "low" | "medium" | "high" | "critical";
          rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
         };
         id: string;
         name: string;
         secrets: string[];
         settings: {
          [key: string]: unknown;
         };
         /** @enum {string} */
         type: "syslog" | "webhook" | "kafka" | "chat" | "file" | "workflows";
         updatedAt: string;
        })[];
      };
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": ({
      enabled?: boolean;
      filter?: {
       causes?: ("opened" | "grown" | "closed")[];
       hosts?: string[];
       /** @enum {string} */
       minSeverity?: "info" | "low" | "medium" | "high" | "critical";
       rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
      };
      name: string;
      secrets?: {
       key?: string;
      };
      settings: {
       ca?: string;
       certificate?: string;
       facility?: number;
       /** @enum {string} */
       format?: "cef" | "json";
       host: string;
       port: number;
       serverName?: string;
       tls?: boolean;
      };
      /** @enum {string} */
      type: "syslog";
     }) | ({
      enabled?: boolean;
      filter?: {
       causes?: ("opened" | "grown" | "closed")[];
       hosts?: string[];
       /** @enum {string} */
       minSeverity?: "info" | "low" | "medium" | "high" | "critical";
       rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
      };
      name: string;
      secrets: {
       authorization?: string;
       signingKey: string;
      };
      settings: {
       url: string;
      };
      /** @enum {string} */
      type: "webhook";
     }) | ({
      enabled?: boolean;
      filter?: {
       causes?: ("opened" | "grown" | "closed")[];
       hosts?: string[];
       /** @enum {string} */
       minSeverity?: "info" | "low" | "medium" | "high" | "critical";
       rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
      };
      name: string;
      secrets?: Record<string, never>;
      settings: {
       topic: string;
      };
      /** @enum {string} */
      type: "kafka";
     }) | ({
      enabled?: boolean;
      filter?: {
       causes?: ("opened" | "grown" | "closed")[];
       hosts?: string[];
       /** @enum {string} */
       minSeverity?: "info" | "low" | "medium" | "high" | "critical";
       rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
      };
      name: string;
      secrets: {
       url: string;
      };
      settings: {
       /** @enum {string} */
       style?: "slack" | "text";
      };
      /** @enum {string} */
      type: "chat";
     }) | ({
      enabled?: boolean;
      filter?: {
       causes?: ("opened" | "grown" | "closed")[];
       hosts?: string[];
       /** @enum {string} */
       minSeverity?: "info" | "low" | "medium" | "high" | "critical";
       rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
      };
      name: string;
      secrets?: Record<string, never>;
      settings: {
       /** @enum {string} */
       format?: "ecs" | "json";
       name: string;
      };
      /** @enum {string} */
      type: "file";
     }) | ({
      enabled?: boolean;
      filter?: {
       causes?: ("opened" | "grown" | "closed")[];
       hosts?: string[];
       /** @enum {string} */
       minSeverity?: "info" | "low" | "medium" | "high" | "critical";
       rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
      };
      name: string;
      secrets?: Record<string, never>;
      settings?: Record<string, never>;
      /** @enum {string} */
      type: "workflows";
     });
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       createdAt: string;
       createdBy: string;
       enabled: boolean;
       etag: string;
       filter: {
        causes?: ("opened" | "grown" | "closed")[];
        hosts?: string[];
        /** @enum {string} */
        minSeverity?: "info" | "low" | "medium" | "high" | "critical";
        rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
       };
       id: string;
       name: string;
       secrets: string[];
       settings: {
        [key: string]: unknown;
       };
       /** @enum {string} */
       type: "syslog" | "webhook" | "kafka" | "chat" | "file" | "workflows";
       updatedAt: string;
      };
     };
    };
   };
  };
 };
 "/api/outputs/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       createdBy: string;
       enabled: boolean;
       etag: string;
       filter: {
        causes?: ("opened" | "grown" | "closed")[];
        hosts?: string[];
        /** @enum {string} */
        minSeverity?: "info" | "low" | "medium" | "high" | "critical";
        rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
       };
       id: string;
       name: string;
       secrets: string[];
       settings: {
        [key: string]: unknown;
       };
       /** @enum {string} */
       type: "syslog" | "webhook" | "kafka" | "chat" | "file" | "workflows";
       updatedAt: string;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
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
     "if-match"?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      enabled?: boolean;
      filter?: {
       causes?: ("opened" | "grown" | "closed")[];
       hosts?: string[];
       /** @enum {string} */
       minSeverity?: "info" | "low" | "medium" | "high" | "critical";
       rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
      };
      name?: string;
      secrets?: {
       [key: string]: string | null;
      };
      settings?: {
       [key: string]: unknown;
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       createdBy: string;
       enabled: boolean;
       etag: string;
       filter: {
        causes?: ("opened" | "grown" | "closed")[];
        hosts?: string[];
        /** @enum {string} */
        minSeverity?: "info" | "low" | "medium" | "high" | "critical";
        rules?: ("instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering")[];
       };
       id: string;
       name: string;
       secrets: string[];
       settings: {
        [key: string]: unknown;
       };
       /** @enum {string} */
       type: "syslog" | "webhook" | "kafka" | "chat" | "file" | "workflows";
       updatedAt: string;
      };
     };
    };
   };
  };
 };
 "/api/outputs/{id}/deliveries": {
  get: {
   parameters: {
    query?: {
     limit?: string;
     cursor?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       attempts: number;
       deadLetters: {
        data: ({
          at: string;
          /** @enum {string} */
          cause: "opened" | "grown" | "closed";
          detection: string;
          id: number;
          reason: string;
          revision: number;
          /** @enum {string} */
          state: "refused" | "waiting" | "delivered";
         })[];
        nextCursor: string | null;
       };
       delivered: number;
       lag: {
        messages: number;
        oldestAt: string | null;
       };
       lastDeliveredAt: string | null;
       lastError: {
        at: string;
        message: string;
       } | null;
       nextAttemptAt: string | null;
       /** @enum {string} */
       state: "idle" | "delivering" | "retrying" | "paused";
      };
     };
    };
   };
  };
 };
 "/api/outputs/{id}/resend": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      ids?: number[];
     };
    };
   };
   responses: {
    202: {
     content: {
      "application/json": {
       count: number;
      };
     };
    };
   };
  };
 };
 "/api/outputs/{id}/test": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       answer: string;
       ms: number;
       ok: boolean;
      };
     };
    };
   };
  };
 };
 "/api/processes": {
  get: {
   parameters: {
    query?: {
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     limit?: string;
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         crashes: number;
         detections: number;
         events: number;
         firstSeen: string;
         hostname: string | null;
         lastSeen: string;
         openDetections: number;
         procname: string;
        })[];
       limit: number;
       nextCursor: string | null;
      };
     };
    };
   };
  };
 };
 "/api/prometheus": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": string;
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
      "application/json": {
       data: ({
         attack: {
           name: string;
           tactic: string;
           technique: string;
          }[];
         enabled: boolean;
         etag: string;
         /** @enum {string} */
         id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
         name: string;
         runbook: {
          falsePositives: string[];
          nextChecks: string[];
         };
         /** @enum {string} */
         severity: "info" | "low" | "medium" | "high" | "critical";
         summary: string;
         thresholds: {
           default: unknown;
           description: string;
           name: string;
           value: unknown;
          }[];
         version: number;
         [key: string]: unknown;
        })[];
      };
     };
    };
   };
  };
 };
 "/api/rules/{id}": {
  get: {
   parameters: {
    path: {
     id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       attack: {
         name: string;
         tactic: string;
         technique: string;
        }[];
       enabled: boolean;
       etag: string;
       /** @enum {string} */
       id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
       name: string;
       runbook: {
        falsePositives: string[];
        nextChecks: string[];
       };
       /** @enum {string} */
       severity: "info" | "low" | "medium" | "high" | "critical";
       summary: string;
       thresholds: {
         default: unknown;
         description: string;
         name: string;
         value: unknown;
        }[];
       version: number;
       [key: string]: unknown;
      };
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
     id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
    };
   };
   requestBody: {
    content: {
     "application/json": {
      enabled?: boolean | null;
      thresholds?: {
       [key: string]: (number | boolean) | null;
      };
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       attack: {
         name: string;
         tactic: string;
         technique: string;
        }[];
       enabled: boolean;
       etag: string;
       /** @enum {string} */
       id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
       name: string;
       runbook: {
        falsePositives: string[];
        nextChecks: string[];
       };
       /** @enum {string} */
       severity: "info" | "low" | "medium" | "high" | "critical";
       summary: string;
       thresholds: {
         default: unknown;
         description: string;
         name: string;
         value: unknown;
        }[];
       version: number;
       [key: string]: unknown;
      };
     };
    };
   };
  };
 };
 "/api/rules/{id}/backtest": {
  post: {
   parameters: {
    path: {
     id: "instruction-pointer-probe" | "register-value-probe" | "stack-canary-probe" | "suppressed-crash-burst" | "detector-tampering";
    };
   };
   requestBody: {
    content: {
     "application/json": {
      enabled?: boolean | null;
      from?: string;
      thresholds?: {
       [key: string]: (number | boolean) | null;
      };
      to?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       added: ({
         crashes: number;
         firstSeen: string;
         hostname: string | null;
         id: string;
         lastSeen: string;
         message: string;
         procname: string | null;
         /** @enum {string} */
         severity: "info" | "low" | "medium" | "high" | "critical";
         [key: string]: unknown;
        })[];
       changed: ({
         after: ({
           crashes: number;
           firstSeen: string;
           hostname: string | null;
           id: string;
           lastSeen: string;
           message: string;
           procname: string | null;
           /** @enum {string} */
           severity: "info" | "low" | "medium" | "high" | "critical";
           [key: string]: unknown;
          })[];
         before: ({
           crashes: number;
           firstSeen: string;
           hostname: string | null;
           id: string;
           lastSeen: string;
           message: string;
           procname: string | null;
           /** @enum {string} */
           severity: "info" | "low" | "medium" | "high" | "critical";
           [key: string]: unknown;
          })[];
        })[];
       complete: boolean;
       current: {
        detections: number;
        silenced: number;
       };
       events: number;
       from: string;
       proposed: {
        detections: number;
        silenced: number;
       };
       removed: ({
         crashes: number;
         firstSeen: string;
         hostname: string | null;
         id: string;
         lastSeen: string;
         message: string;
         procname: string | null;
         /** @enum {string} */
         severity: "info" | "low" | "medium" | "high" | "critical";
         [key: string]: unknown;
        })[];
       to: string;
      };
     };
    };
   };
  };
 };
 "/api/server-proof": {
  get: {
   parameters: {
    query: {
     nonce: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       proof: string;
      };
     };
    };
   };
  };
 };
 "/api/socket": {
  get: {
   responses: {
   };
  };
 };
 "/api/stats/requests": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       errors: number;
       hours: {
         errors: number;
         hour: string;
         requests: number;
        }[];
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/uploads": {
  get: {
   parameters: {
    query: {
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
 "/api/user/api-keys": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         createdAt: string;
         expiresAt: string | null;
         keyId: string;
         label: string;
         lastUsedAt: string | null;
         revoked: boolean;
         scopes: string[];
        })[];
      };
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      expiresAt?: string;
      label: string;
      scopes?: ("scrapers" | "events:write" | "detections:read" | "detections:write" | "workflows:read" | "workflows:run" | "workflows:write" | "agents:read" | "agents:run" | "agents:write" | "admin")[];
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       apiKey: string;
       expiresAt: string | null;
       keyId: string;
       label: string;
       scopes: ("scrapers" | "events:write" | "detections:read" | "detections:write" | "workflows:read" | "workflows:run" | "workflows:write" | "agents:read" | "agents:run" | "agents:write" | "admin")[];
      };
     };
    };
   };
  };
 };
 "/api/user/api-keys/{keyId}": {
  delete: {
   parameters: {
    path: {
     keyId: string;
    };
   };
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/user/data": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       email: string;
       emailVerified: boolean;
       id: string;
       image: string | null;
       /** @enum {string} */
       role: "user" | "analyst" | "admin";
       username: string;
      };
     };
    };
   };
  };
 };
 "/api/user/quota": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         description: string;
         own: boolean;
         quota: number | null;
         /** @enum {string} */
         resource: "storage_bytes" | "agents" | "workflows" | "versions" | "api_keys" | "executions" | "execution_bytes" | "events";
         used: number;
        })[];
      };
     };
    };
   };
  };
 };
 "/api/user/update": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      image?: string | null;
      username?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       email: string;
       emailVerified: boolean;
       id: string;
       image: string | null;
       /** @enum {string} */
       role: "user" | "analyst" | "admin";
       username: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents": {
  get: {
   parameters: {
    query?: {
     search?: string;
     includeArchived?: "true" | "false";
     limit?: string;
     offset?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         archived: boolean;
         config: {
          [key: string]: unknown;
         };
         createdAt: string;
         dataset?: ({
           /** @enum {string} */
           comparison: "exact" | "subset" | "schema";
           createdAt: string;
           expected: unknown;
           files: ({
             /** @enum {string} */
             kind: "input" | "expected";
             name: string;
             size: number;
            })[];
           id: string;
           input: unknown;
           name: string;
           sourceExecutionId: string | null;
           updatedAt: string;
          })[];
         description: string;
         files?: {
           contentType: string;
           createdAt: string;
           path: string;
           sha256: string;
           size: number;
           version: number;
          }[];
         id: string;
         latestCommit: string | null;
         latestVersion: number | null;
         name: string;
         slug: string;
         /** @enum {string} */
         sourceIntegrity: "healthy" | "source_missing" | "unregistered";
         stats: {
          avgCredits: number | null;
          avgDurationMs: number | null;
          exampleCount: number;
          lastExecutionAt: string | null;
          totalExecutions: number;
         };
         updatedAt: string;
         /** @enum {string} */
         visibility: "private" | "shared";
        })[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": {
      config?: {
       entry?: string;
       inputSchema?: {
        [key: string]: unknown;
       };
       limits?: {
        computeMs?: number;
        credits?: number;
        memoryMb?: number;
        steps?: number;
        timeMs?: number;
        tokens?: number;
        toolCalls?: number;
        [key: string]: unknown;
       };
       model?: {
        apiKeySecret?: string;
        baseUrl?: string;
        creditsPerMillionInput?: number;
        creditsPerMillionOutput?: number;
        maxOutputTokens?: number;
        name?: string;
        temperature?: number;
        [key: string]: unknown;
       };
       outputSchema?: {
        [key: string]: unknown;
       };
       /** @enum {string} */
       runtime?: "script" | "model";
       tools?: ("files.list" | "files.read" | "files.write" | "workspace.write" | "detections.list" | "detections.get" | "events.list" | "workflows.run" | "http.fetch")[];
       [key: string]: unknown;
      };
      description?: string;
      name: string;
      slug: string;
      /** @enum {string} */
      visibility?: "private" | "shared";
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       agent: {
        archived: boolean;
        config: {
         [key: string]: unknown;
        };
        createdAt: string;
        dataset?: ({
          /** @enum {string} */
          comparison: "exact" | "subset" | "schema";
          createdAt: string;
          expected: unknown;
          files: ({
            /** @enum {string} */
            kind: "input" | "expected";
            name: string;
            size: number;
           })[];
          id: string;
          input: unknown;
          name: string;
          sourceExecutionId: string | null;
          updatedAt: string;
         })[];
        description: string;
        files?: {
          contentType: string;
          createdAt: string;
          path: string;
          sha256: string;
          size: number;
          version: number;
         }[];
        id: string;
        latestCommit: string | null;
        latestVersion: number | null;
        name: string;
        slug: string;
        /** @enum {string} */
        sourceIntegrity: "healthy" | "source_missing" | "unregistered";
        stats: {
         avgCredits: number | null;
         avgDurationMs: number | null;
         exampleCount: number;
         lastExecutionAt: string | null;
         totalExecutions: number;
        };
        updatedAt: string;
        /** @enum {string} */
        visibility: "private" | "shared";
       };
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}": {
  get: {
   parameters: {
    query?: {
     include?: string;
    };
    path: {
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       agent: {
        archived: boolean;
        config: {
         [key: string]: unknown;
        };
        createdAt: string;
        dataset?: ({
          /** @enum {string} */
          comparison: "exact" | "subset" | "schema";
          createdAt: string;
          expected: unknown;
          files: ({
            /** @enum {string} */
            kind: "input" | "expected";
            name: string;
            size: number;
           })[];
          id: string;
          input: unknown;
          name: string;
          sourceExecutionId: string | null;
          updatedAt: string;
         })[];
        description: string;
        files?: {
          contentType: string;
          createdAt: string;
          path: string;
          sha256: string;
          size: number;
          version: number;
         }[];
        id: string;
        latestCommit: string | null;
        latestVersion: number | null;
        name: string;
        slug: string;
        /** @enum {string} */
        sourceIntegrity: "healthy" | "source_missing" | "unregistered";
        stats: {
         avgCredits: number | null;
         avgDurationMs: number | null;
         exampleCount: number;
         lastExecutionAt: string | null;
         totalExecutions: number;
        };
        updatedAt: string;
        /** @enum {string} */
        visibility: "private" | "shared";
       };
      };
     };
    };
   };
  };
  patch: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      archived?: boolean;
      config?: {
       entry?: string;
       inputSchema?: {
        [key: string]: unknown;
       };
       limits?: {
        computeMs?: number;
        credits?: number;
        memoryMb?: number;
        steps?: number;
        timeMs?: number;
        tokens?: number;
        toolCalls?: number;
        [key: string]: unknown;
       };
       model?: {
        apiKeySecret?: string;
        baseUrl?: string;
        creditsPerMillionInput?: number;
        creditsPerMillionOutput?: number;
        maxOutputTokens?: number;
        name?: string;
        temperature?: number;
        [key: string]: unknown;
       };
       outputSchema?: {
        [key: string]: unknown;
       };
       /** @enum {string} */
       runtime?: "script" | "model";
       tools?: ("files.list" | "files.read" | "files.write" | "workspace.write" | "detections.list" | "detections.get" | "events.list" | "workflows.run" | "http.fetch")[];
       [key: string]: unknown;
      };
      description?: string;
      name?: string;
      /** @enum {string} */
      visibility?: "private" | "shared";
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       agent: {
        archived: boolean;
        config: {
         [key: string]: unknown;
        };
        createdAt: string;
        dataset?: ({
          /** @enum {string} */
          comparison: "exact" | "subset" | "schema";
          createdAt: string;
          expected: unknown;
          files: ({
            /** @enum {string} */
            kind: "input" | "expected";
            name: string;
            size: number;
           })[];
          id: string;
          input: unknown;
          name: string;
          sourceExecutionId: string | null;
          updatedAt: string;
         })[];
        description: string;
        files?: {
          contentType: string;
          createdAt: string;
          path: string;
          sha256: string;
          size: number;
          version: number;
         }[];
        id: string;
        latestCommit: string | null;
        latestVersion: number | null;
        name: string;
        slug: string;
        /** @enum {string} */
        sourceIntegrity: "healthy" | "source_missing" | "unregistered";
        stats: {
         avgCredits: number | null;
         avgDurationMs: number | null;
         exampleCount: number;
         lastExecutionAt: string | null;
         totalExecutions: number;
        };
        updatedAt: string;
        /** @enum {string} */
        visibility: "private" | "shared";
       };
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/evaluations": {
  post: {
   parameters: {
    path: {
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      batchId?: string;
      examples?: string[];
     };
    };
   };
   responses: {
    202: {
     content: {
      "application/json": {
       batchId: string;
       executions: {
         exampleName: string;
         executionId: string;
        }[];
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/evaluations/{batchId}": {
  get: {
   parameters: {
    path: {
     agentId: string;
     batchId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       batchId: string;
       executions: ({
         evaluation: ({
          /** @enum {string} */
          comparison: "exact" | "subset" | "schema";
          differences: {
            message: string;
            path: string;
           }[];
          passed: boolean;
         }) | null;
         exampleName: string;
         executionId: string;
         status: string;
        })[];
       failed: number;
       notCompared: number;
       open: number;
       passed: number;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/examples": {
  get: {
   parameters: {
    path: {
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         /** @enum {string} */
         comparison: "exact" | "subset" | "schema";
         createdAt: string;
         expected: unknown;
         files: ({
           /** @enum {string} */
           kind: "input" | "expected";
           name: string;
           size: number;
          })[];
         id: string;
         input: unknown;
         name: string;
         sourceExecutionId: string | null;
         updatedAt: string;
        })[];
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/examples/{name}": {
  put: {
   parameters: {
    path: {
     agentId: string;
     name: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      comparison?: "exact" | "subset" | "schema";
      expected?: unknown;
      input: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       id: string;
       name: string;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     agentId: string;
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
     status?: string;
     batchId?: string;
     exampleName?: string;
     exampleNameContains?: string;
     createdAfter?: string;
     createdBefore?: string;
     completedAfter?: string;
     completedBefore?: string;
     feedbackStatus?: "open" | "resolved" | "ignored";
     feedbackRating?: "pass" | "fail" | "partial" | "none";
     hasFeedback?: "true" | "false";
     noFeedback?: "true" | "false";
     hasExpected?: "true" | "false";
     hasExpectedJson?: "true" | "false";
     hasExpectedFiles?: "true" | "false";
     feedbackBodyContains?: string;
     feedbackCreatedAfter?: string;
     feedbackCreatedBefore?: string;
     feedbackUpdatedAfter?: string;
     feedbackUpdatedBefore?: string;
     feedbackResolvedAfter?: string;
     feedbackResolvedBefore?: string;
     promotedToExample?: "true" | "false";
     promotedExampleName?: string;
     sinceLastResolved?: "true" | "false";
     include?: string;
     sort?: "createdAt" | "completedAt" | "status" | "exampleName";
     order?: "asc" | "desc";
     scanLimit?: string;
     limit?: string;
     offset?: string;
    };
    path: {
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       executions: ({
         agentId: string;
         batchId: string | null;
         cancelRequestedAt: string | null;
         completedAt: string | null;
         cost: {
          [key: string]: number;
         } | null;
         createdAt: string;
         error: string | null;
         evaluation: ({
          /** @enum {string} */
          comparison: "exact" | "subset" | "schema";
          differences: {
            message: string;
            path: string;
           }[];
          passed: boolean;
         }) | null;
         exampleId: string | null;
         exampleName: string | null;
         expected?: unknown;
         expectedFiles?: {
           name: string;
          }[];
         feedback?: ({
          body: string;
          createdAt: string | null;
          createdBy: string | null;
          createdByEmail: string | null;
          promotedExampleName: string | null;
          /** @enum {string|null} */
          rating: "pass" | "fail" | "partial" | null;
          resolvedAt: string | null;
          resolvedBy: string | null;
          resolvedByEmail: string | null;
          resolvedBySessionId: string | null;
          /** @enum {string|null} */
          status: "open" | "resolved" | "ignored" | null;
          updatedAt: string | null;
         }) | null;
         files?: ({
           /** @enum {string} */
           kind: "input" | "output" | "issues" | "trace";
           name: string;
           size: number;
          })[];
         id: string;
         input?: unknown;
         model: string | null;
         output: unknown;
         promotedExampleName: string | null;
         schemaValid: boolean | null;
         sourceExecutionId: string | null;
         startedAt: string | null;
         status: string;
         workspaceVersion: number;
        })[];
       limit: number;
       noResolvedAnchor: boolean;
       offset: number;
       scanLimited: boolean;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/files": {
  get: {
   parameters: {
    query?: {
     path?: string;
     prefix?: string;
     version?: string;
    };
    path: {
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       files: {
         contentType: string;
         createdAt: string;
         path: string;
         sha256: string;
         size: number;
         version: number;
        }[];
      } | {
       file: {
        content?: string;
        contentBase64?: string;
        contentType: string;
        createdAt: string;
        path: string;
        sha256: string;
        size: number;
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
     path: string;
     prefix?: string;
    };
    header?: {
     "if-match"?: string;
    };
    path: {
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      content?: string;
      contentBase64?: string;
      contentType?: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       /** @enum {boolean} */
       ok: true;
       path: string;
      };
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      files: {
        content?: string;
        contentBase64?: string;
        contentType?: string;
        path: string;
       }[];
      remove?: string[];
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       files: string[];
       /** @enum {boolean} */
       ok: true;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/run": {
  post: {
   parameters: {
    query?: {
     wait_for_completion?: string;
    };
    path: {
     agentId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      _metadata?: {
       [key: string]: unknown;
      };
      batchId?: string;
      exampleId?: string;
      exampleName?: string;
      input?: unknown;
      [key: string]: unknown;
     };
     "multipart/form-data": {
      _json?: string;
      [key: string]: string | undefined;
     };
    };
   };
   responses: {
    202: {
     content: {
      "application/json": {
       cost?: {
        [key: string]: number;
       };
       error?: string | null;
       executionId: string;
       output?: unknown;
       schemaValid?: boolean | null;
       status?: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/{agentId}/versions": {
  get: {
   parameters: {
    query?: {
     limit?: string;
     offset?: string;
    };
    path: {
     agentId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: {
         commit: string;
         createdAt: string;
         isCurrent: boolean;
         version: number;
        }[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}": {
  get: {
   parameters: {
    query?: {
     include?: string;
    };
    path: {
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       execution: {
        agentId: string;
        batchId: string | null;
        cancelRequestedAt: string | null;
        completedAt: string | null;
        cost: {
         [key: string]: number;
        } | null;
        createdAt: string;
        error: string | null;
        evaluation: ({
         /** @enum {string} */
         comparison: "exact" | "subset" | "schema";
         differences: {
           message: string;
           path: string;
          }[];
         passed: boolean;
        }) | null;
        exampleId: string | null;
        exampleName: string | null;
        expected?: unknown;
        expectedFiles?: {
          name: string;
         }[];
        feedback?: ({
         body: string;
         createdAt: string | null;
         createdBy: string | null;
         createdByEmail: string | null;
         promotedExampleName: string | null;
         /** @enum {string|null} */
         rating: "pass" | "fail" | "partial" | null;
         resolvedAt: string | null;
         resolvedBy: string | null;
         resolvedByEmail: string | null;
         resolvedBySessionId: string | null;
         /** @enum {string|null} */
         status: "open" | "resolved" | "ignored" | null;
         updatedAt: string | null;
        }) | null;
        files?: ({
          /** @enum {string} */
          kind: "input" | "output" | "issues" | "trace";
          name: string;
          size: number;
         })[];
        id: string;
        input?: unknown;
        model: string | null;
        output: unknown;
        promotedExampleName: string | null;
        schemaValid: boolean | null;
        sourceExecutionId: string | null;
        startedAt: string | null;
        status: string;
        workspaceVersion: number;
       };
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/cancel": {
  post: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       execution: {
        agentId: string;
        batchId: string | null;
        cancelRequestedAt: string | null;
        completedAt: string | null;
        cost: {
         [key: string]: number;
        } | null;
        createdAt: string;
        error: string | null;
        evaluation: ({
         /** @enum {string} */
         comparison: "exact" | "subset" | "schema";
         differences: {
           message: string;
           path: string;
          }[];
         passed: boolean;
        }) | null;
        exampleId: string | null;
        exampleName: string | null;
        expected?: unknown;
        expectedFiles?: {
          name: string;
         }[];
        feedback?: ({
         body: string;
         createdAt: string | null;
         createdBy: string | null;
         createdByEmail: string | null;
         promotedExampleName: string | null;
         /** @enum {string|null} */
         rating: "pass" | "fail" | "partial" | null;
         resolvedAt: string | null;
         resolvedBy: string | null;
         resolvedByEmail: string | null;
         resolvedBySessionId: string | null;
         /** @enum {string|null} */
         status: "open" | "resolved" | "ignored" | null;
         updatedAt: string | null;
        }) | null;
        files?: ({
          /** @enum {string} */
          kind: "input" | "output" | "issues" | "trace";
          name: string;
          size: number;
         })[];
        id: string;
        input?: unknown;
        model: string | null;
        output: unknown;
        promotedExampleName: string | null;
        schemaValid: boolean | null;
        sourceExecutionId: string | null;
        startedAt: string | null;
        status: string;
        workspaceVersion: number;
       };
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/expected": {
  get: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       expected: unknown;
       files: {
         name: string;
        }[];
      };
     };
    };
   };
  };
  post: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      expectedName?: string;
      outputFileName: string;
     };
     "multipart/form-data": {
      file: string;
      name?: string;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       name: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/expected/{filename}": {
  get: {
   parameters: {
    path: {
     executionId: string;
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
     executionId: string;
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
     executionId: string;
     filename: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      name: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       name: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/feedback": {
  get: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       expected: unknown;
       expectedFiles: {
         name: string;
        }[];
       feedback: ({
        body: string;
        createdAt: string | null;
        createdBy: string | null;
        createdByEmail: string | null;
        promotedExampleName: string | null;
        /** @enum {string|null} */
        rating: "pass" | "fail" | "partial" | null;
        resolvedAt: string | null;
        resolvedBy: string | null;
        resolvedByEmail: string | null;
        resolvedBySessionId: string | null;
        /** @enum {string|null} */
        status: "open" | "resolved" | "ignored" | null;
        updatedAt: string | null;
       }) | null;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       expected: unknown;
       expectedFiles: {
         name: string;
        }[];
       feedback: ({
        body: string;
        createdAt: string | null;
        createdBy: string | null;
        createdByEmail: string | null;
        promotedExampleName: string | null;
        /** @enum {string|null} */
        rating: "pass" | "fail" | "partial" | null;
        resolvedAt: string | null;
        resolvedBy: string | null;
        resolvedByEmail: string | null;
        resolvedBySessionId: string | null;
        /** @enum {string|null} */
        status: "open" | "resolved" | "ignored" | null;
        updatedAt: string | null;
       }) | null;
      };
     };
    };
   };
  };
  patch: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      body?: string;
      expected?: unknown;
      feedback?: string;
      /** @enum {string|null} */
      feedbackRating?: "pass" | "fail" | "partial" | null;
      /** @enum {string} */
      feedbackStatus?: "open" | "resolved" | "ignored";
      /** @enum {string|null} */
      rating?: "pass" | "fail" | "partial" | null;
      /** @enum {string} */
      status?: "open" | "resolved" | "ignored";
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       expected: unknown;
       expectedFiles: {
         name: string;
        }[];
       feedback: ({
        body: string;
        createdAt: string | null;
        createdBy: string | null;
        createdByEmail: string | null;
        promotedExampleName: string | null;
        /** @enum {string|null} */
        rating: "pass" | "fail" | "partial" | null;
        resolvedAt: string | null;
        resolvedBy: string | null;
        resolvedByEmail: string | null;
        resolvedBySessionId: string | null;
        /** @enum {string|null} */
        status: "open" | "resolved" | "ignored" | null;
        updatedAt: string | null;
       }) | null;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/files/{kind}/{filename}": {
  get: {
   parameters: {
    path: {
     executionId: string;
     kind: "input" | "output" | "issues" | "trace";
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
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      name: string;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       id: string;
       name: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/agents/executions/{executionId}/rerun": {
  post: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   responses: {
    202: {
     content: {
      "application/json": {
       executionId: string;
       sourceExecutionId: string;
       status: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/events": {
  post: {
   requestBody: {
    content: {
     "application/json": ({
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
      [key: string]: (string | number | boolean) | undefined;
     }) | (({
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
       [key: string]: (string | number | boolean) | undefined;
      })[]);
    };
   };
   responses: {
    202: {
     content: {
      "application/json": {
       accepted: number;
       duplicates: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/executions": {
  get: {
   parameters: {
    query?: {
     kind?: "workflow" | "agent";
     status?: string;
     workflow?: string;
     agent?: string;
     fromDate?: string;
     toDate?: string;
     limit?: string;
     offset?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         completedAt: string | null;
         createdAt: string;
         error: string | null;
         id: string;
         /** @enum {string} */
         kind: "workflow" | "agent";
         name: string;
         startedAt: string | null;
         /** @enum {string} */
         status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
         triggerType: string;
        })[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/executions/{executionId}/events": {
  get: {
   parameters: {
    query?: {
     after?: string;
    };
    path: {
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
 "/api/v1/secrets": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": {
       data: {
         createdAt: string;
         name: string;
         updatedAt: string;
        }[];
      };
     };
    };
   };
  };
 };
 "/api/v1/secrets/{name}": {
  put: {
   parameters: {
    path: {
     name: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      value: string;
     };
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
 "/api/v1/waits": {
  get: {
   parameters: {
    query?: {
     limit?: string;
     cursor?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         executionId: string;
         filters: {
           correlate: {
            [key: string]: {
             expect?: unknown;
             from: string;
            };
           };
           with: {
            [key: string]: unknown;
           };
          }[];
         input?: unknown;
         /** @enum {string} */
         mode: "one" | "any" | "all";
         since: string;
         step: string;
         wait: string;
         workflow: {
          id: string;
          name: string;
          summary: string | null;
          title: string | null;
         };
        })[];
       limit: number;
       nextCursor: string | null;
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
     search?: string;
     name?: string;
     kind?: "workflow" | "block";
     limit?: string;
     offset?: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         createdAt: string;
         id: string;
         /** @enum {string} */
         kind: "workflow" | "block";
         name: string;
         updatedAt: string;
         version: string;
        })[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       createdAt: string;
       definition: {
        [key: string]: unknown;
       };
       id: string;
       /** @enum {string} */
       kind: "workflow" | "block";
       name: string;
       updatedAt: string;
       version: string;
       yamlContent: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/executions": {
  get: {
   parameters: {
    query?: {
     status?: string;
     fromDate?: string;
     toDate?: string;
     exampleId?: string;
     limit?: string;
     offset?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         completedAt?: string;
         createdAt: string;
         durationMs?: number;
         error?: string;
         id: string;
         result?: unknown;
         startedAt?: string;
         /** @enum {string} */
         status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
         triggerInput?: unknown;
         triggerType?: string;
         workflow: {
          id: string;
          name: string;
         } | null;
         workflowId: string;
        })[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/graph": {
  get: {
   parameters: {
    query?: {
     version?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       mermaid: string;
       version: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/rollback": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      version: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       released: boolean;
       version: {
        createdAt: string;
        id: string;
        isCurrent: boolean;
        version: string;
        workflowId: string;
        yamlContent?: string;
       };
       /** @enum {string} */
       visibility: "private" | "shared";
       warnings: {
         code: string;
         column?: number;
         field: string;
         line?: number;
         message: string;
         /** @enum {string} */
         severity: "warning";
        }[];
       workflow: {
        createdAt: string;
        id: string;
        /** @enum {string} */
        kind: "workflow" | "block";
        name: string;
        updatedAt: string;
        version: string;
       };
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/run": {
  post: {
   parameters: {
    query?: {
     version?: string;
     wait_for_completion?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      concurrencyKey?: string;
      exampleId?: string | null;
      input?: unknown;
      overrides?: {
       steps?: {
        [key: string]: unknown;
       };
      } | null;
      priority?: number;
      /** @enum {string} */
      trigger?: "api" | "cli";
     };
     "multipart/form-data": {
      _json?: string;
      [key: string]: string | undefined;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": {
       error?: string | null;
       executionId: string;
       result?: unknown;
       /** @enum {string} */
       status?: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/triggers": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: ({
         enabled: boolean;
         id: string;
         /** @enum {string} */
         kind: "schedule" | "after" | "event" | "webhook";
         lastAt: string | null;
         missed: number;
         nextAt: string | null;
         problem: string | null;
         spec: {
          [key: string]: unknown;
         };
        })[];
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/triggers/{kind}": {
  patch: {
   parameters: {
    path: {
     id: string;
     kind: "schedule" | "after" | "event" | "webhook";
    };
   };
   requestBody: {
    content: {
     "application/json": {
      enabled: boolean;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       enabled: boolean;
       id: string;
       /** @enum {string} */
       kind: "schedule" | "after" | "event" | "webhook";
       lastAt: string | null;
       missed: number;
       nextAt: string | null;
       problem: string | null;
       spec: {
        [key: string]: unknown;
       };
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/versions": {
  get: {
   parameters: {
    query?: {
     limit?: string;
     offset?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       data: {
         createdAt: string;
         id: string;
         isCurrent: boolean;
         version: string;
         workflowId: string;
         yamlContent?: string;
        }[];
       limit: number;
       offset: number;
       total: number;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/versions/{version}/diff": {
  get: {
   parameters: {
    query?: {
     with?: string;
    };
    path: {
     id: string;
     version: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       diff: string;
       from: string;
       to: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/{id}/webhook": {
  put: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       header: string;
       path: string;
       secret: string;
      };
     };
    };
   };
  };
  post: {
   parameters: {
    header?: {
     "x-trapline-signature"?: string;
    };
    path: {
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
      "application/json": {
       executionId: string;
      };
     };
    };
   };
  };
  delete: {
   parameters: {
    path: {
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
 "/api/v1/workflows/{slug}": {
  put: {
   parameters: {
    header?: {
     "if-match"?: string;
    };
    path: {
     slug: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      /** @enum {string} */
      kind?: "workflow" | "block";
      notes?: string;
      version?: string;
      /** @enum {string} */
      visibility?: "private" | "shared";
      yamlContent: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       released: boolean;
       version: {
        createdAt: string;
        id: string;
        isCurrent: boolean;
        version: string;
        workflowId: string;
        yamlContent?: string;
       };
       /** @enum {string} */
       visibility: "private" | "shared";
       warnings: {
         code: string;
         column?: number;
         field: string;
         line?: number;
         message: string;
         /** @enum {string} */
         severity: "warning";
        }[];
       workflow: {
        createdAt: string;
        id: string;
        /** @enum {string} */
        kind: "workflow" | "block";
        name: string;
        updatedAt: string;
        version: string;
       };
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}": {
  get: {
   parameters: {
    query?: {
     includeSteps?: "true" | "false";
    };
    path: {
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       completedAt?: string;
       createdAt: string;
       durationMs?: number;
       error?: string;
       executionId: string;
       id: string;
       result?: unknown;
       startedAt?: string;
       /** @enum {string} */
       status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
       steps?: ({
         attempt: number;
         completedAt?: string;
         durationMs?: number;
         error?: unknown;
         input?: unknown;
         kind: string;
         name: string;
         output?: unknown;
         startedAt: string;
         /** @enum {string} */
         status: "running" | "waiting" | "completed" | "failed" | "cancelled" | "skipped";
         step: string;
        })[];
       triggerInput?: unknown;
       triggerType?: string;
       workflow: {
        id: string;
        name: string;
       } | null;
       workflowId: string;
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}/cancel": {
  post: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       executionId: string;
       /** @enum {string} */
       status: "cancelled" | "cancellation-requested" | "already-terminal";
       /** @enum {string} */
       wasStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
      };
     };
    };
   };
  };
 };
 "/api/v1/workflows/executions/{executionId}/files/{filename}": {
  get: {
   parameters: {
    path: {
     executionId: string;
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
 "/api/v1/workflows/executions/{executionId}/rerun": {
  post: {
   parameters: {
    path: {
     executionId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      fromStep?: string;
     } | null;
    };
   };
   responses: {
    202: {
     content: {
      "application/json": {
       executionId: string;
       sourceExecutionId: string;
       /** @enum {string} */
       status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
      };
     };
    };
   };
  };
 };
 "/api/views/index": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      slug: string;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": {
       slug: string;
       views: number;
      };
     };
    };
   };
  };
 };
};

export type webhooks = Record<string, never>;

export type components = Record<string, never>;

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export type operations = Record<string, never>;
