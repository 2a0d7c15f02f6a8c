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
 "/api/admin/api-keys/{keyId}/rotate": {
  post: {
   parameters: {
    path: {
     keyId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["RotateApiKeyRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["RotateApiKeyResponse"];
     };
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
     limit?: number;
     offset?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListAuditEntriesResponse"];
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
      "application/json": components["schemas"]["AuditEntry"];
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
      "application/json": components["schemas"]["VerifyAuditLogResponse"];
     };
    };
   };
  };
 };
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
 "/api/admin/identity-providers": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListIdentityProvidersResponse"];
     };
    };
   };
  };
 };
 "/api/admin/identity-providers/{provider}/test": {
  post: {
   parameters: {
    path: {
     provider: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["TestIdentityProviderResponse"];
     };
    };
   };
  };
 };
 "/api/admin/teams": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateTeamRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["ListTeamsResponseDataItem"];
     };
    };
   };
  };
 };
 "/api/admin/teams/{id}": {
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
  patch: {
   parameters: {
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeTeamRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListTeamsResponseDataItem"];
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
     role?: string;
     disabled?: boolean;
     limit?: number;
     offset?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListUsersResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateUserRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["User"];
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
      "application/json": components["schemas"]["GetUserResponse"];
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
     "application/json": components["schemas"]["ChangeUserRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["User"];
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
      "application/json": components["schemas"]["ListApiKeysResponse"];
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
     "application/json": components["schemas"]["CreateApiKeyRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CreateApiKeyResponse"];
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
      "application/json": components["schemas"]["User"];
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
      "application/json": components["schemas"]["User"];
     };
    };
   };
  };
 };
 "/api/admin/users/{id}/password-link": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CreatePasswordLinkResponse"];
     };
    };
   };
  };
 };
 "/api/admin/users/{id}/password-link/send": {
  post: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    202: {
     content: {
      "application/json": components["schemas"]["SendPasswordLinkResponse"];
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
      "application/json": components["schemas"]["Quotas"];
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
     "application/json": components["schemas"]["SetUserQuotaRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Quotas"];
     };
    };
   };
  };
 };
 "/api/admin/users/{id}/second-factor": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetSecondFactorsOfUserResponse"];
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
     content: {
      "application/json": null;
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
      "application/json": components["schemas"]["FinishProviderSignInResponse"];
     };
    };
   };
  };
 };
 "/api/auth/callback/credentials": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["SignInRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SetUpResponse"];
     };
    };
    202: {
     content: {
      "application/json": components["schemas"]["SignInResponse"];
     };
    };
   };
  };
 };
 "/api/auth/confirm-email": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ConfirmEmailRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ConfirmEmailResponse"];
     };
    };
   };
  };
 };
 "/api/auth/forgot-password": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["SendCodeRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["RequestPasswordResetResponse"];
     };
    };
   };
  };
 };
 "/api/auth/oidc/{provider}/backchannel-logout": {
  post: {
   parameters: {
    path: {
     provider: string;
    };
   };
   requestBody: {
    content: {
     "application/x-www-form-urlencoded": components["schemas"]["ReceiveLogoutTokenRequest"];
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/auth/passkey": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["VerifyPasskeyStepRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["VerifySecondFactorResponse"];
     };
    };
   };
  };
 };
 "/api/auth/passkey/options": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartPasskeyStepResponse"];
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
      "application/json": components["schemas"]["ListSignInProvidersResponse"];
     };
    };
   };
  };
 };
 "/api/auth/reset-password": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ResetPasswordRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ResetPasswordResponse"];
     };
    };
   };
  };
 };
 "/api/auth/reset-password/check": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CheckResetLinkRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CheckResetLinkResponse"];
     };
    };
   };
  };
 };
 "/api/auth/saml/{provider}/acs": {
  post: {
   parameters: {
    path: {
     provider: string;
    };
   };
   requestBody: {
    content: {
     "application/x-www-form-urlencoded": components["schemas"]["ReceiveSamlResponseRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["FinishProviderSignInResponse"];
     };
    };
   };
  };
 };
 "/api/auth/saml/{provider}/metadata": {
  get: {
   parameters: {
    path: {
     provider: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/auth/saml/{provider}/slo": {
  get: {
   parameters: {
    query?: {
     SAMLRequest?: string;
     SAMLResponse?: string;
     RelayState?: string;
     SigAlg?: string;
     Signature?: string;
    };
    path: {
     provider: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
  post: {
   parameters: {
    path: {
     provider: string;
    };
   };
   requestBody: {
    content: {
     "application/x-www-form-urlencoded": components["schemas"]["ReceivePostedSamlLogoutRequest"];
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/auth/saml/{provider}/slo/request": {
  get: {
   parameters: {
    query: {
     message: string;
    };
    path: {
     provider: string;
    };
   };
   responses: {
    200: {
     content: never;
    };
   };
  };
 };
 "/api/auth/second-factor": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetSecondStepResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["VerifySecondFactorRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["VerifySecondFactorResponse"];
     };
    };
   };
  };
 };
 "/api/auth/second-factor/cancel": {
  post: {
   responses: {
    204: {
     content: never;
    };
   };
  };
 };
 "/api/auth/second-factor/passkey": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["VerifyPasskeyStepRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["VerifySecondFactorResponse"];
     };
    };
   };
  };
 };
 "/api/auth/second-factor/passkey/enrol": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["AddRequiredPasskeyRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["VerifySecondFactorResponse"];
     };
    };
   };
  };
 };
 "/api/auth/second-factor/passkey/enrol/options": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartPasskeyStepResponse"];
     };
    };
   };
  };
 };
 "/api/auth/second-factor/passkey/options": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartPasskeyStepResponse"];
     };
    };
   };
  };
 };
 "/api/auth/second-factor/totp": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartRequiredTotpResponse"];
     };
    };
   };
  };
 };
 "/api/auth/second-factor/totp/confirm": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ConfirmRequiredTotpRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["VerifySecondFactorResponse"];
     };
    };
   };
  };
 };
 "/api/auth/send-otp": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["SendCodeRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SendCodeResponse"];
     };
    };
   };
  };
 };
 "/api/auth/set-up": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["SetUpRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["SetUpResponse"];
     };
    };
   };
  };
 };
 "/api/auth/sign-out": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["SignOutResponse"];
     };
    };
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
     "application/json": components["schemas"]["RegisterWithCodeRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["RegisterWithCodeResponse"];
     };
    };
   };
  };
 };
 "/api/case-metrics": {
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
     "if-match"?: string;
    };
    path: {
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
 };
 "/api/cases": {
  get: {
   parameters: {
    query?: {
     status?: string;
     severity?: string;
     assignee?: string;
     "exclude.status"?: string;
     "exclude.severity"?: string;
     "exclude.assignee"?: string;
     detection?: string;
     q?: string;
     from?: string;
     to?: string;
     figures?: string;
     limit?: number;
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
     "if-match"?: string;
    };
    path: {
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
     limit?: number;
     cursor?: string;
    };
    path: {
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
     id: string;
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
     id: string;
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
     id: string;
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
     id: string;
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
     id: string;
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
     id: string;
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
     id: string;
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
      "application/json": components["schemas"]["GetCodehostRepoResponse"];
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
      "application/json": components["schemas"]["ListCodehostReposResponse"];
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
      "application/json": components["schemas"]["GetCodehostUserResponse"];
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
      "application/json": components["schemas"]["GetExecutionDashboardResponse"];
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
      "application/json": components["schemas"]["GetAddressDashboardResponse"];
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
      "application/json": components["schemas"]["GetPipelineDashboardResponse"];
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
      "application/json": components["schemas"]["GetQueueDashboardResponse"];
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
      "application/json": components["schemas"]["GetRequestDashboardResponse"];
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
      "application/json": components["schemas"]["GetSystemDashboardResponse"];
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
     code?: string;
     topic?: string;
     status?: string;
     limit?: number;
     cursor?: string;
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
     format?: string;
    };
    path: {
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
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     executable?: string;
     unit?: string;
     container?: string;
     pod?: string;
     parent?: string;
     rule?: string;
     campaign?: string;
     severity?: string;
     status?: string;
     verdict?: string;
     assignee?: string;
     "exclude.hostname"?: string;
     "exclude.procname"?: string;
     "exclude.file"?: string;
     "exclude.register"?: string;
     "exclude.executable"?: string;
     "exclude.unit"?: string;
     "exclude.container"?: string;
     "exclude.pod"?: string;
     "exclude.parent"?: string;
     "exclude.rule"?: string;
     "exclude.campaign"?: string;
     "exclude.severity"?: string;
     "exclude.status"?: string;
     "exclude.verdict"?: string;
     "exclude.assignee"?: string;
     detection?: string;
     q?: string;
     sort?: "lastSeen" | "severity" | "crashes" | "host" | "risk";
     order?: "asc" | "desc";
     limit?: number;
     cursor?: string;
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
     format?: string;
    };
    path: {
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
     "if-match"?: string;
    };
    path: {
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
     limit?: number;
     cursor?: string;
    };
    path: {
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
     id: string;
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
     id: string;
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
     limit?: number;
     cursor?: string;
    };
    path: {
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
     state?: string;
    };
    path: {
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
     "if-match"?: string;
    };
    path: {
     id: string;
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
     id: string;
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
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     executable?: string;
     unit?: string;
     container?: string;
     pod?: string;
     parent?: string;
     rule?: string;
     campaign?: string;
     severity?: string;
     status?: string;
     verdict?: string;
     assignee?: string;
     "exclude.hostname"?: string;
     "exclude.procname"?: string;
     "exclude.file"?: string;
     "exclude.register"?: string;
     "exclude.executable"?: string;
     "exclude.unit"?: string;
     "exclude.container"?: string;
     "exclude.pod"?: string;
     "exclude.parent"?: string;
     "exclude.rule"?: string;
     "exclude.campaign"?: string;
     "exclude.severity"?: string;
     "exclude.status"?: string;
     "exclude.verdict"?: string;
     "exclude.assignee"?: string;
     detection?: string;
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
     by: "procname" | "hostname" | "rule" | "campaign";
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     executable?: string;
     unit?: string;
     container?: string;
     pod?: string;
     parent?: string;
     rule?: string;
     campaign?: string;
     severity?: string;
     status?: string;
     verdict?: string;
     assignee?: string;
     "exclude.hostname"?: string;
     "exclude.procname"?: string;
     "exclude.file"?: string;
     "exclude.register"?: string;
     "exclude.executable"?: string;
     "exclude.unit"?: string;
     "exclude.container"?: string;
     "exclude.pod"?: string;
     "exclude.parent"?: string;
     "exclude.rule"?: string;
     "exclude.campaign"?: string;
     "exclude.severity"?: string;
     "exclude.status"?: string;
     "exclude.verdict"?: string;
     "exclude.assignee"?: string;
     detection?: string;
     q?: string;
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
     rule?: string;
     "exclude.rule"?: string;
     severity?: string;
     "exclude.severity"?: string;
     hostname?: string;
     "exclude.hostname"?: string;
     procname?: string;
     "exclude.procname"?: string;
     executable?: string;
     "exclude.executable"?: string;
     parent?: string;
     "exclude.parent"?: string;
     unit?: string;
     "exclude.unit"?: string;
     container?: string;
     "exclude.container"?: string;
     pod?: string;
     "exclude.pod"?: string;
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
     executable?: string;
     unit?: string;
     container?: string;
     pod?: string;
     parent?: string;
     rule?: string;
     campaign?: string;
     severity?: string;
     status?: string;
     verdict?: string;
     assignee?: string;
     "exclude.hostname"?: string;
     "exclude.procname"?: string;
     "exclude.file"?: string;
     "exclude.register"?: string;
     "exclude.executable"?: string;
     "exclude.unit"?: string;
     "exclude.container"?: string;
     "exclude.pod"?: string;
     "exclude.parent"?: string;
     "exclude.rule"?: string;
     "exclude.campaign"?: string;
     "exclude.severity"?: string;
     "exclude.status"?: string;
     "exclude.verdict"?: string;
     "exclude.assignee"?: string;
     detection?: string;
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
     executable?: string;
     unit?: string;
     container?: string;
     pod?: string;
     type?: string;
     "exclude.hostname"?: string;
     "exclude.procname"?: string;
     "exclude.file"?: string;
     "exclude.register"?: string;
     "exclude.executable"?: string;
     "exclude.unit"?: string;
     "exclude.container"?: string;
     "exclude.pod"?: string;
     "exclude.type"?: string;
     detection?: string;
     q?: string;
     limit?: number;
     cursor?: string;
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
     format?: string;
    };
    path: {
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
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     file?: string;
     register?: string;
     executable?: string;
     unit?: string;
     container?: string;
     pod?: string;
     type?: string;
     "exclude.hostname"?: string;
     "exclude.procname"?: string;
     "exclude.file"?: string;
     "exclude.register"?: string;
     "exclude.executable"?: string;
     "exclude.unit"?: string;
     "exclude.container"?: string;
     "exclude.pod"?: string;
     "exclude.type"?: string;
     detection?: string;
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
     state?: string;
     limit?: number;
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
     ended?: boolean;
     limit?: number;
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
 "/api/features": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListFeaturesResponse"];
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
      "application/json": components["schemas"]["GetHealthResponse"];
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
     figures?: string;
     sort?: "lastSeen" | "risk";
     limit?: number;
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
 "/api/leaked-keys": {
  post: {
   parameters: {
    header?: {
     "github-public-key-identifier"?: string;
     "github-public-key-signature"?: string;
    };
   };
   requestBody: {
    content: {
     "application/json": unknown;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": ({
        /** @enum {string} */
        label: "true_positive" | "false_positive";
        token_hash: string;
        token_type: string;
       })[];
     };
    };
   };
  };
 };
 "/api/openapi.json": {
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
      enabled?: boolean;
      filter?: components["schemas"]["OutputFilter2"];
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
     limit?: number;
     cursor?: string;
    };
    path: {
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
     q?: string;
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
     from?: string;
     to?: string;
     hostname?: string;
     procname?: string;
     figures?: string;
     sort?: "lastSeen" | "risk";
     limit?: number;
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
 "/api/prometheus": {
  get: {
   responses: {
    200: {
     content: never;
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
     "if-match"?: string;
    };
    path: {
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
 "/api/scim/v2/Bulk": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ApplyScimBulkRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ApplyScimBulkResponse"];
     };
    };
   };
  };
 };
 "/api/scim/v2/Groups": {
  get: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
     filter?: string;
     sortBy?: string;
     sortOrder?: "ascending" | "descending";
     startIndex?: number;
     count?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimList"];
     };
    };
   };
  };
  post: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
 };
 "/api/scim/v2/Groups/{id}": {
  get: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
    header?: {
     "if-none-match"?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
  put: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
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
      [key: string]: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
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
     content: {
      "application/json": null;
     };
    };
   };
  };
  patch: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
    header?: {
     "if-match"?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeScimUserRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
 };
 "/api/scim/v2/ResourceTypes": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimList"];
     };
    };
   };
  };
 };
 "/api/scim/v2/ResourceTypes/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
 };
 "/api/scim/v2/Schemas": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimList"];
     };
    };
   };
  };
 };
 "/api/scim/v2/Schemas/{id}": {
  get: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
 };
 "/api/scim/v2/ServiceProviderConfig": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
 };
 "/api/scim/v2/Users": {
  get: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
     filter?: string;
     sortBy?: string;
     sortOrder?: "ascending" | "descending";
     startIndex?: number;
     count?: number;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimList"];
     };
    };
   };
  };
  post: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
      [key: string]: unknown;
     };
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
 };
 "/api/scim/v2/Users/{id}": {
  get: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
    header?: {
     "if-none-match"?: string;
    };
    path: {
     id: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
     };
    };
   };
  };
  put: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
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
      [key: string]: unknown;
     };
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
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
     content: {
      "application/json": null;
     };
    };
   };
  };
  patch: {
   parameters: {
    query?: {
     attributes?: string;
     excludedAttributes?: string;
    };
    header?: {
     "if-match"?: string;
    };
    path: {
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeScimUserRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ScimResource"];
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
      "application/json": components["schemas"]["GetServerProofResponse"];
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
      "application/json": components["schemas"]["GetRequestStatisticsResponse"];
     };
    };
   };
  };
 };
 "/api/status": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetStatusResponse"];
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
     version?: number;
    };
    path: {
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
 "/api/user/api-keys": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListApiKeysResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CreateApiKeyRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["CreateApiKeyResponse"];
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
  patch: {
   parameters: {
    path: {
     keyId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["UpdateApiKeyRequest"];
    };
   };
   responses: {
    204: {
     content: {
      "application/json": null;
     };
    };
   };
  };
 };
 "/api/user/api-keys/{keyId}/rotate": {
  post: {
   parameters: {
    path: {
     keyId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["RotateApiKeyRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["RotateApiKeyResponse"];
     };
    };
   };
  };
 };
 "/api/user/api-keys/{keyId}/usage": {
  get: {
   parameters: {
    path: {
     keyId: string;
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetApiKeyUsageResponse"];
     };
    };
   };
  };
 };
 "/api/user/data": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Profile"];
     };
    };
   };
  };
 };
 "/api/user/email": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeEmailRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ChangeEmailResponse"];
     };
    };
   };
  };
 };
 "/api/user/notifications": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["NotificationSettings"];
     };
    };
   };
  };
  put: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["NotificationSettings"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["NotificationSettings"];
     };
    };
   };
  };
 };
 "/api/user/passkeys": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListPasskeysResponse"];
     };
    };
   };
  };
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["AddRequiredPasskeyRequest"];
    };
   };
   responses: {
    201: {
     content: {
      "application/json": components["schemas"]["AddPasskeyResponse"];
     };
    };
   };
  };
 };
 "/api/user/passkeys/{id}": {
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content: {
      "application/json": null;
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
     "application/json": components["schemas"]["RenamePasskeyRequest"];
    };
   };
   responses: {
    204: {
     content: {
      "application/json": null;
     };
    };
   };
  };
 };
 "/api/user/passkeys/options": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartPasskeyStepResponse"];
     };
    };
   };
  };
 };
 "/api/user/password": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangePasswordRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ChangePasswordResponse"];
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
      "application/json": components["schemas"]["Quotas"];
     };
    };
   };
  };
 };
 "/api/user/second-factor": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["GetSecondFactorsResponse"];
     };
    };
   };
  };
 };
 "/api/user/second-factor/confirm": {
  post: {
   requestBody: {
    content: {
     "application/json": {
      password: string;
     } | components["schemas"]["VerifySecondFactorRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ConfirmSessionResponse"];
     };
    };
   };
  };
 };
 "/api/user/second-factor/recovery-codes": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CreateRecoveryCodesResponse"];
     };
    };
   };
  };
 };
 "/api/user/second-factor/totp": {
  post: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["StartRequiredTotpResponse"];
     };
    };
   };
  };
  delete: {
   responses: {
    204: {
     content: {
      "application/json": null;
     };
    };
   };
  };
 };
 "/api/user/second-factor/totp/confirm": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ConfirmRequiredTotpRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ConfirmTotpResponse"];
     };
    };
   };
  };
 };
 "/api/user/sessions": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListSessionsResponse"];
     };
    };
   };
  };
  delete: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["EndOtherSessionsResponse"];
     };
    };
   };
  };
 };
 "/api/user/sessions/{id}": {
  delete: {
   parameters: {
    path: {
     id: string;
    };
   };
   responses: {
    204: {
     content: {
      "application/json": null;
     };
    };
   };
  };
 };
 "/api/user/update": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["ChangeProfileRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["Profile"];
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
     includeArchived?: boolean;
     limit?: number;
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
     include?: string;
    };
    path: {
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
     "if-match"?: string;
    };
    path: {
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
     "if-match"?: string;
    };
    path: {
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
     agentId: string;
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
     agentId: string;
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
     from?: string;
     to?: string;
     createdAfter?: string;
     createdBefore?: string;
     completedAfter?: string;
     completedBefore?: string;
     feedbackStatus?: string;
     feedbackRating?: string;
     hasFeedback?: boolean;
     noFeedback?: boolean;
     hasExpected?: boolean;
     hasExpectedJson?: boolean;
     hasExpectedFiles?: boolean;
     feedbackBodyContains?: string;
     feedbackCreatedAfter?: string;
     feedbackCreatedBefore?: string;
     feedbackUpdatedAfter?: string;
     feedbackUpdatedBefore?: string;
     feedbackResolvedAfter?: string;
     feedbackResolvedBefore?: string;
     promotedToExample?: boolean;
     promotedExampleName?: string;
     sinceLastResolved?: boolean;
     include?: string;
     sort?: "createdAt" | "completedAt" | "status" | "exampleName";
     order?: "asc" | "desc";
     scanLimit?: number;
     limit?: number;
     offset?: number;
    };
    path: {
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
     limit?: number;
     offset?: number;
    };
    path: {
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
     agentId: string;
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
     path?: string;
     prefix?: string;
     version?: number;
    };
    path: {
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
     wait_for_completion?: number;
    };
    path: {
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
     from?: string;
     to?: string;
    };
    path: {
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
     limit?: number;
     offset?: number;
    };
    path: {
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
     id: string;
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
     include?: string;
     wait_for_completion?: number;
    };
    path: {
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
     kind?: string;
     status?: string;
     workflow?: string;
     agent?: string;
     from?: string;
     to?: string;
     fromDate?: string;
     toDate?: string;
     include?: string;
     limit?: number;
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
     include?: string;
     wait_for_completion?: number;
    };
    path: {
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
 "/api/v1/executions/{executionId}/resume": {
  post: {
   parameters: {
    path: {
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
     wait_for_reply?: number;
    };
    path: {
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
     wait_for_reply?: number;
    };
    path: {
     executionId: string;
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
     mine?: boolean;
     limit?: number;
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
     limit?: number;
     cursor?: string;
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
     search?: string;
     name?: string;
     kind?: string;
     includeArchived?: boolean;
     titles?: boolean;
     limit?: number;
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
     "if-match"?: string;
    };
    path: {
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
 };
 "/api/v1/workflows/{id}/access": {
  get: {
   parameters: {
    path: {
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
     id: string;
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
     id: string;
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
     status?: string;
     from?: string;
     to?: string;
     fromDate?: string;
     toDate?: string;
     exampleId?: string;
     include?: string;
     limit?: number;
     offset?: number;
    };
    path: {
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
     id: string;
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
     version?: string;
    };
    path: {
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
     id: string;
    };
   };
   requestBody: {
    content: {
     "application/json": {
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
     version?: string;
     wait_for_completion?: number;
    };
    path: {
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
     version?: string;
    };
    path: {
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
     id: string;
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
     limit?: number;
     offset?: number;
    };
    path: {
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
      "application/json": components["schemas"]["DryRunWorkflowResponse"];
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
     includeSteps?: boolean;
     include?: string;
     wait_for_completion?: number;
    };
    path: {
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
 "/api/v1/workflows/executions/{executionId}/limits": {
  get: {
   parameters: {
    path: {
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
      "application/json": components["schemas"]["RerunWorkflowExecutionResponse"];
     };
    };
   };
  };
 };
 "/api/views/index": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["CountPageViewRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["CountPageViewResponse"];
     };
    };
   };
  };
 };
 "/api/worker-queues": {
  get: {
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ListWorkerQueuesResponse"];
     };
    };
   };
  };
 };
 "/api/worker-tasks/{taskId}/complete": {
  post: {
   parameters: {
    path: {
     taskId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["CompleteWorkerTaskRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["WorkerTaskState"];
     };
    };
   };
  };
 };
 "/api/worker-tasks/{taskId}/extend": {
  post: {
   parameters: {
    path: {
     taskId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ExtendWorkerTaskRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["ExtendTaskResponse"];
     };
    };
   };
  };
 };
 "/api/worker-tasks/{taskId}/fail": {
  post: {
   parameters: {
    path: {
     taskId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["FailWorkerTaskRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["WorkerTaskState"];
     };
    };
   };
  };
 };
 "/api/worker-tasks/{taskId}/release": {
  post: {
   parameters: {
    path: {
     taskId: string;
    };
   };
   requestBody: {
    content: {
     "application/json": components["schemas"]["ReleaseWorkerTaskRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["WorkerTaskState"];
     };
    };
   };
  };
 };
 "/api/worker-tasks/poll": {
  post: {
   requestBody: {
    content: {
     "application/json": components["schemas"]["PollWorkerTasksRequest"];
    };
   };
   responses: {
    200: {
     content: {
      "application/json": components["schemas"]["PollTasksResponse"];
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
   detections: string[];
  };
  AddCaseDetectionsResponse: {
   results: ({
     id: string;
     /** @enum {string} */
     outcome: "added" | "present" | "not_found";
    })[];
  };
  AddCaseFileForm: {
   file: string;
  };
  AddExpectedFileForm: {
   file: string;
   name?: string;
  };
  AddExpectedFileRequest: {
   expectedName?: string;
   outputFileName: string;
  };
  AddPasskeyResponse: {
   passkey: components["schemas"]["ListPasskeysResponseDataItem"];
   recoveryCodes?: string[];
  };
  AddRequiredPasskeyRequest: {
   name: string;
   response: components["schemas"]["AddRequiredPasskeyRequestResponse"];
  };
  AddRequiredPasskeyRequestResponse: {
   /** @enum {string} */
   authenticatorAttachment?: "cross-platform" | "platform";
   clientExtensionResults: {
    [key: string]: unknown;
   };
   id: string;
   rawId: string;
   response: components["schemas"]["AddRequiredPasskeyRequestResponseResponse"];
   /** @enum {string} */
   type: "public-key";
  };
  AddRequiredPasskeyRequestResponseResponse: {
   attestationObject: string;
   authenticatorData?: string;
   clientDataJSON: string;
   publicKey?: string;
   publicKeyAlgorithm?: number;
   transports?: string[];
  };
  Agent: {
   archived: boolean;
   config: {
    [key: string]: unknown;
   };
   createdAt: string;
   dataset?: components["schemas"]["AgentExample"][];
   description: string;
   files?: components["schemas"]["AgentFile"][];
   id: string;
   latestCommit: string | null;
   latestVersion: number | null;
   name: string;
   slug: string;
   /** @enum {string} */
   sourceIntegrity: "healthy" | "source_missing" | "unregistered";
   stats: components["schemas"]["AgentStats"];
   updatedAt: string;
   /** @enum {string} */
   visibility: "private" | "shared";
  };
  AgentExample: {
   /** @enum {string} */
   comparison: "exact" | "subset" | "schema";
   createdAt: string;
   expected: unknown;
   files: components["schemas"]["AgentExampleFilesItem"][];
   id: string;
   input: unknown;
   name: string;
   sourceExecutionId: string | null;
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
   cancelRequestedAt: string | null;
   completedAt: string | null;
   cost: {
    [key: string]: number;
   } | null;
   createdAt: string;
   error: string | null;
   evaluation: ({
    checks?: components["schemas"]["EvaluationChecksItem"][];
    /** @enum {string} */
    comparison: "exact" | "subset" | "schema";
    differences: components["schemas"]["EvaluationDifferencesItem"][];
    passed: boolean | null;
   }) | null;
   exampleId: string | null;
   exampleName: string | null;
   expected?: unknown;
   expectedFiles?: components["schemas"]["AgentExecutionExpectedFilesItem"][];
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
   files?: components["schemas"]["AgentExecutionFilesItem"][];
   id: string;
   input?: unknown;
   model: string | null;
   output: unknown;
   promotedExampleName: string | null;
   schemaValid: boolean | null;
   sourceExecutionId: string | null;
   startedAt: string | null;
   startedBy?: ({
    executionId: string | null;
    how: string;
    keyLabel: string | null;
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
   contentType: string;
   filename?: string;
   /** @enum {string} */
   kind: "input" | "output" | "issues" | "trace";
   name: string;
   size: number;
  };
  AgentFile: {
   contentType: string;
   createdAt: string;
   path: string;
   sha256: string;
   size: number;
   version: number;
  };
  AgentStats: {
   avgCredits: number | null;
   avgDurationMs: number | null;
   exampleCount: number;
   lastExecutionAt: string | null;
   totalExecutions: number;
  };
  ApiKey: {
   agents: string[];
   createdAt: string;
   expiresAt: string | null;
   keyId: string;
   label: string;
   lastUsedAt: string | null;
   leakedAt: string | null;
   networks: string[];
   previousUntil: string | null;
   requestsPerDay: number | null;
   requestsPerMinute: number | null;
   revoked: boolean;
   rotatedAt: string | null;
   scopes: string[];
   workflows: string[];
  };
  ApplyScimBulkRequest: {
   failOnErrors?: number;
   Operations: ({
     bulkId?: string;
     data?: unknown;
     /** @enum {string} */
     method: "POST" | "PUT" | "PATCH" | "DELETE";
     path: string;
     version?: string;
     [key: string]: unknown;
    })[];
   schemas?: string[];
   [key: string]: unknown;
  };
  ApplyScimBulkResponse: {
   Operations: {
     bulkId?: string;
     location?: string;
     method: string;
     response?: {
      [key: string]: unknown;
     };
     status: string;
     version?: string;
     [key: string]: unknown;
    }[];
   schemas: string[];
   [key: string]: unknown;
  };
  ApproveExceptionRequestRequest: {
   reason: string;
  };
  ApproveExceptionRequestResponse: {
   createdAt: string;
   decidedAt: string | null;
   decidedBy: string | null;
   decidedByName: string | null;
   decisionReason: string | null;
   detection: string | null;
   exception: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   own: boolean;
   program: string | null;
   reason: string;
   requestedBy: string;
   requesterName: string | null;
   rule: string | null;
   silenced: number | null;
   /** @enum {string} */
   state: "open" | "approved" | "rejected" | "withdrawn";
  };
  AttackTechnique: {
   name: string;
   tactic: string;
   technique: string;
  };
  AuditEntry: {
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
  BacktestRuleRequest: {
   enabled?: boolean | null;
   from?: string;
   thresholds?: {
    [key: string]: (number | null) | (boolean | null) | (string | null);
   };
   to?: string;
  };
  BacktestRuleResponse: {
   added: components["schemas"]["BacktestRuleResponseAddedItem"][];
   changed: {
     after: components["schemas"]["BacktestRuleResponseAddedItem"][];
     before: components["schemas"]["BacktestRuleResponseAddedItem"][];
    }[];
   complete: boolean;
   current: components["schemas"]["BacktestRuleResponseCurrent"];
   events: number;
   from: string;
   proposed: components["schemas"]["BacktestRuleResponseCurrent"];
   removed: components["schemas"]["BacktestRuleResponseAddedItem"][];
   to: string;
  };
  BacktestRuleResponseAddedItem: {
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
  };
  BacktestRuleResponseCurrent: {
   detections: number;
   silenced: number;
  };
  BacktestUserRuleRequest: {
   from?: string;
   source: string;
   to?: string;
  };
  BacktestUserRuleResponse: {
   complete: boolean;
   detections: number;
   events: number;
   found: components["schemas"]["BacktestRuleResponseAddedItem"][];
   from: string;
   judged: number;
   silenced: number;
   to: string;
  };
  CallMcpRequest: {
   id?: string | number;
   /** @enum {string} */
   jsonrpc: "2.0";
   method?: string;
   params?: {
    [key: string]: unknown;
   };
   [key: string]: unknown;
  };
  CancelExecutionResponse: {
   executionId: string;
   /** @enum {string} */
   status: "cancelled" | "cancellation-requested" | "already-terminal";
   /** @enum {string} */
   wasStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  Case: {
   acknowledgedAt: string | null;
   assignee: string | null;
   campaign: string | null;
   changedAt: string;
   closedAt: string | null;
   createdAt: string;
   createdBy: string;
   description: string | null;
   detections: number;
   etag: string;
   id: string;
   number: number;
   /** @enum {string|null} */
   reason: "resolved" | "false_positive" | "benign" | "duplicate" | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @enum {string} */
   status: "open" | "in_progress" | "closed";
   tasks: number;
   tasksDone: number;
   timeToAcknowledge: number | null;
   timeToClose: number | null;
   title: string;
  };
  CaseFile: {
   addedAt: string;
   addedBy: string;
   filename: string;
   id: string;
   sha256: string;
   size: number;
   username: string | null;
  };
  CaseHappening: {
   actor: string;
   at: string;
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
   id: string;
   title: string;
  };
  CaseTemplate: {
   changedAt: string;
   changedBy: string;
   etag: string;
   id: string;
   name: string;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   tasks: string[];
   title: string;
  };
  ChangeAgentRequest: {
   archived?: boolean;
   config?: components["schemas"]["CreateAgentRequestConfig"];
   description?: string;
   name?: string;
   /** @enum {string} */
   visibility?: "private" | "shared";
  };
  ChangeCaseRequest: {
   assignee?: string | null;
   description?: string | null;
   /** @enum {string|null} */
   reason?: "resolved" | "false_positive" | "benign" | "duplicate" | null;
   /** @enum {string} */
   severity?: "info" | "low" | "medium" | "high" | "critical";
   /** @enum {string} */
   status?: "open" | "in_progress" | "closed";
   title?: string;
  };
  ChangeCaseTaskRequest: {
   assignee?: string | null;
   done?: boolean;
   title?: string;
  };
  ChangeDetectionsRequest: {
   asOf?: string;
   change: components["schemas"]["DecisionChange"];
   cursor?: string;
   detections?: {
     etag?: string;
     id: string;
     seen?: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
    }[];
   filter?: {
    assignee?: string;
    campaign?: string;
    container?: string;
    detection?: string;
    "exclude.assignee"?: string;
    "exclude.campaign"?: string;
    "exclude.container"?: string;
    "exclude.executable"?: string;
    "exclude.file"?: string;
    "exclude.hostname"?: string;
    "exclude.parent"?: string;
    "exclude.pod"?: string;
    "exclude.procname"?: string;
    "exclude.register"?: string;
    "exclude.rule"?: string;
    "exclude.severity"?: string;
    "exclude.status"?: string;
    "exclude.unit"?: string;
    "exclude.verdict"?: string;
    executable?: string;
    file?: string;
    from?: string;
    hostname?: string;
    parent?: string;
    pod?: string;
    procname?: string;
    q?: string;
    register?: string;
    rule?: string;
    severity?: string;
    status?: string;
    to?: string;
    unit?: string;
    verdict?: string;
   };
   limit?: number;
  };
  ChangeDetectionsRequestDetectionsItemSeen: {
   assignee?: string | null;
   note?: string | null;
   /** @enum {string} */
   status?: "new" | "acknowledged" | "closed";
   /** @enum {string|null} */
   verdict?: "true_positive" | "false_positive" | "benign" | null;
  };
  ChangeDetectionsResponse: {
   nextCursor: string | null;
   results: components["schemas"]["ChangeDetectionsResponseResultsItem"][];
  };
  ChangeDetectionsResponseResultsItem: {
   etag: string | null;
   id: string;
   /** @enum {string} */
   outcome: "updated" | "unchanged" | "changed_meanwhile" | "not_found";
  };
  ChangeEmailRequest: {
   currentPassword: string;
   email: string;
  };
  ChangeEmailResponse: {
   /** @enum {string} */
   state: "link-sent" | "changed";
  };
  ChangeExceptionPolicyRequest: {
   /** @enum {string} */
   analysts: "create" | "request";
  };
  ChangeOutputRequest: {
   enabled?: boolean;
   filter?: components["schemas"]["OutputFilter"];
   name?: string;
   secrets?: {
    [key: string]: string | null;
   };
   settings?: {
    [key: string]: unknown;
   };
  };
  ChangePasswordRequest: {
   currentPassword: string;
   password: string;
  };
  ChangePasswordResponse: {
   sessionsEnded: number;
  };
  ChangeProfileRequest: {
   image?: string | null;
   username?: string;
  };
  ChangeRuleRequest: {
   enabled?: boolean | null;
   thresholds?: {
    [key: string]: (number | null) | (boolean | null) | (string | null);
   };
  };
  ChangeScimUserRequest: {
   Operations: components["schemas"]["ChangeScimUserRequestOperationsItem"][];
   [key: string]: unknown;
  };
  ChangeScimUserRequestOperationsItem: {
   op: string;
   path?: string;
   value?: unknown;
   [key: string]: unknown;
  };
  ChangeTeamRequest: {
   description?: string;
   members?: string[];
  };
  ChangeUserRequest: {
   disabled?: boolean;
   endDate?: string | null;
   /** @enum {string} */
   role?: "user" | "analyst" | "admin";
  };
  ChangeUserRuleRequest: {
   enabled: boolean;
  };
  ChangeWorkflowTriggerRequest: {
   enabled: boolean;
  };
  CheckResetLinkRequest: {
   token: string;
  };
  CheckResetLinkResponse: {
   valid: boolean;
  };
  CheckWorkflowRequest: {
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
   tasks: ({
     cases: components["schemas"]["ListWorkflowTasksResponseDataItemCasesItem"][];
     condition: string | null;
     detail: string | null;
     /** @enum {string} */
     flow: "sequence" | "parallel" | "attempt" | "choice" | "end";
     kind: string;
     name: string;
     next: string | null;
     parent: string | null;
     path: string;
     place: (string | number)[];
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
   [key: string]: (string | number | boolean) | undefined;
  };
  Comment: {
   actor: string;
   createdAt: string;
   deletedAt: string | null;
   editedAt: string | null;
   id: string;
   mentions: string[];
   own: boolean;
   text: string | null;
   username: string | null;
  };
  CompareWorkflowVersionsResponse: {
   diff: string;
   from: string;
   to: string;
  };
  CompleteWorkerTaskRequest: {
   fencingToken: number;
   output?: unknown;
  };
  ConfirmEmailRequest: {
   token: string;
  };
  ConfirmEmailResponse: {
   email: string;
  };
  ConfirmRequiredTotpRequest: {
   code: string;
  };
  ConfirmSessionResponse: {
   confirmedUntil: string;
  };
  ConfirmTotpResponse: {
   recoveryCodes?: string[];
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
   expected?: number;
   from?: string;
   statuses?: ("created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected")[];
   to?: string;
   /** @enum {string} */
   version?: "latest" | "same";
  };
  CountBulkActionResponse: {
   count: number;
   max: number;
  };
  CountDetectionsResponse: {
   asOf: string;
   detections: number;
  };
  CountPageViewRequest: {
   slug: string;
  };
  CountPageViewResponse: {
   slug: string;
   views: number;
  };
  CountWaitsResponse: {
   count: number;
  };
  CreateAgentRequest: {
   config?: components["schemas"]["CreateAgentRequestConfig"];
   description?: string;
   name: string;
   slug: string;
   /** @enum {string} */
   visibility?: "private" | "shared";
  };
  CreateAgentRequestConfig: {
   entry?: string;
   inputSchema?: {
    [key: string]: unknown;
   };
   limits?: components["schemas"]["CreateAgentRequestConfigLimits"];
   mcpServers?: {
    [key: string]: components["schemas"]["CreateAgentRequestConfigMcpServersValue"];
   };
   model?: components["schemas"]["CreateAgentRequestConfigModel"];
   outputSchema?: {
    [key: string]: unknown;
   };
   permissions?: components["schemas"]["CreateAgentRequestConfigPermissions"];
   /** @enum {string} */
   runtime?: "script" | "model";
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
   headers?: {
    [key: string]: components["schemas"]["CreateAgentRequestConfigMcpServersValueHeadersValue"];
   };
   url: string;
  };
  CreateAgentRequestConfigMcpServersValueHeadersValue: {
   prefix?: string;
   secret: string;
  };
  CreateAgentRequestConfigModel: {
   apiKeySecret?: string;
   baseUrl?: string;
   creditsPerMillionCachedInput?: number;
   creditsPerMillionInput?: number;
   creditsPerMillionOutput?: number;
   maxOutputTokens?: number;
   name?: string;
   temperature?: number;
   [key: string]: unknown;
  };
  CreateAgentRequestConfigPermissions: {
   approval?: components["schemas"]["CreateAgentRequestConfigPermissionsApproval"];
   /** @enum {string} */
   default?: "allow" | "ask" | "deny";
   rules?: components["schemas"]["CreateAgentRequestConfigPermissionsRulesItem"][];
  };
  CreateAgentRequestConfigPermissionsApproval: {
   approvers?: (components["schemas"]["CreateAgentRequestConfigPermissionsApprovalApproversItemOption1"] | components["schemas"]["CreateAgentRequestConfigPermissionsApprovalApproversItemOption2"] | components["schemas"]["CreateAgentRequestConfigPermissionsApprovalApproversItemOption3"])[];
   count?: number;
   except?: ("starter" | "lastEditor")[];
   expiresAfterSeconds?: number;
  };
  CreateAgentRequestConfigPermissionsApprovalApproversItemOption1: {
   user: string;
  };
  CreateAgentRequestConfigPermissionsApprovalApproversItemOption2: {
   team: string;
  };
  CreateAgentRequestConfigPermissionsApprovalApproversItemOption3: {
   /** @enum {string} */
   role: "user" | "analyst" | "admin";
  };
  CreateAgentRequestConfigPermissionsRulesItem: {
   arguments?: {
    [key: string]: string;
   };
   /** @enum {string} */
   decision: "allow" | "ask" | "deny";
   tool: string;
  };
  CreateAgentResponse: {
   agent: components["schemas"]["Agent"];
  };
  CreateApiKeyRequest: {
   agents?: string[];
   expiresAt?: string;
   label: string;
   networks?: string[];
   requestsPerDay?: number;
   requestsPerMinute?: number;
   scopes?: ("scrapers" | "events:write" | "detections:read" | "detections:write" | "cases:read" | "cases:write" | "detections:propose" | "workflows:read" | "workflows:run" | "workflows:write" | "tasks:work" | "agents:read" | "agents:run" | "agents:write" | "scim" | "admin")[];
   workflows?: string[];
  };
  CreateApiKeyResponse: {
   apiKey: string;
   expiresAt: string | null;
   keyId: string;
   label: string;
   scopes: ("scrapers" | "events:write" | "detections:read" | "detections:write" | "cases:read" | "cases:write" | "detections:propose" | "workflows:read" | "workflows:run" | "workflows:write" | "tasks:work" | "agents:read" | "agents:run" | "agents:write" | "scim" | "admin")[];
  };
  CreateCaseRequest: {
   assignee?: string | null;
   description?: string | null;
   detections?: string[];
   /** @enum {string} */
   severity?: "info" | "low" | "medium" | "high" | "critical";
   template?: string;
   title?: string;
  };
  CreateCaseTaskRequest: {
   assignee?: string | null;
   title: string;
  };
  CreateCaseTemplateRequest: {
   name: string;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   tasks: string[];
   title: string;
  };
  CreateDetectionCommentRequest: {
   text: string;
  };
  CreateDetectorTokenRequest: {
   expiresInMinutes?: number;
   hostname?: string;
  };
  CreateDetectorTokenResponse: {
   expiresAt: string;
   id: string;
   token: string;
  };
  CreateExceptionRequest: {
   detection?: string;
   expires?: string | null;
   file?: string;
   hostname?: string;
   program?: string;
   reason: string;
   rule?: string;
  };
  CreateExceptionResponse: {
   createdAt: string;
   createdBy: string;
   createdByName: string | null;
   detection: string | null;
   endedAt: string | null;
   endedBy: string | null;
   endedByName: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   program: string | null;
   reason: string;
   request: string | null;
   rule: string | null;
   silenced: number | null;
  };
  CreatePasswordLinkResponse: {
   expiresAt: string;
   url: string;
  };
  CreateRecoveryCodesResponse: {
   recoveryCodes: string[];
  };
  CreateTeamRequest: {
   description?: string;
   members?: string[];
   name: string;
  };
  CreateUserRequest: {
   email: string;
   emailVerified?: boolean;
   password?: string;
   /** @enum {string} */
   role?: "user" | "analyst" | "admin";
   username: string;
  };
  DeadLetter: {
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
  DecideWaitRequest: {
   approved: boolean;
   executionId: string;
   note?: string;
   wait: string;
  };
  DecideWaitResponse: {
   approvals?: number;
   needed?: number;
   /** @enum {string} */
   outcome: "approved" | "rejected" | "counted";
  };
  DecisionChange: {
   assignee?: string | null;
   note?: string | null;
   /** @enum {string} */
   status?: "new" | "acknowledged" | "closed";
   /** @enum {string|null} */
   verdict?: "true_positive" | "false_positive" | "benign" | null;
  };
  Detection: {
   assignee: string | null;
   attack: components["schemas"]["AttackTechnique"][];
   buildId: string | null;
   container: string | null;
   crashes: number;
   event: unknown;
   evidenceCount: number;
   exception: string | null;
   executable: string | null;
   file: string | null;
   firstSeen: string;
   hostname: string | null;
   hosts: string[];
   hostsTotal: number;
   id: string;
   lastSeen: string;
   message: string;
   note: string | null;
   parent: string | null;
   pod: string | null;
   procname: string | null;
   register: string | null;
   revision: number;
   risk: ({
    /** @enum {string} */
    level: "Critical" | "High" | "Moderate" | "Low" | "Unknown";
    normalised: number;
    score: number;
   }) | null;
   rule: components["schemas"]["DetectionRule"];
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @enum {string} */
   status: "new" | "acknowledged" | "closed";
   suppressedAtLeast: number;
   uid: number | null;
   unit: string | null;
   values: string[];
   valuesTotal: number;
   /** @enum {string|null} */
   verdict: "true_positive" | "false_positive" | "benign" | null;
  };
  DetectionException: {
   createdAt: string;
   createdBy: string;
   createdByName: string | null;
   detection: string | null;
   endedAt: string | null;
   endedBy: string | null;
   endedByName: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   program: string | null;
   reason: string;
   request: string | null;
   rule: string | null;
  };
  DetectionRule: {
   id: string;
   name: string;
   version: number;
  };
  DetectionWithEvidence: {
   assignee: string | null;
   attack: components["schemas"]["AttackTechnique"][];
   buildId: string | null;
   container: string | null;
   crashes: number;
   event: unknown;
   evidence: components["schemas"]["EventRecord"][];
   evidenceComplete: boolean;
   evidenceCount: number;
   exception: string | null;
   executable: string | null;
   file: string | null;
   firstSeen: string;
   hostname: string | null;
   hosts: string[];
   hostsTotal: number;
   id: string;
   lastSeen: string;
   message: string;
   note: string | null;
   parent: string | null;
   pod: string | null;
   procname: string | null;
   register: string | null;
   revision: number;
   risk: ({
    /** @enum {string} */
    level: "Critical" | "High" | "Moderate" | "Low" | "Unknown";
    normalised: number;
    score: number;
   }) | null;
   rule: components["schemas"]["DetectionRule"];
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @enum {string} */
   status: "new" | "acknowledged" | "closed";
   suppressedAtLeast: number;
   uid: number | null;
   unit: string | null;
   values: string[];
   valuesTotal: number;
   /** @enum {string|null} */
   verdict: "true_positive" | "false_positive" | "benign" | null;
  };
  DryRunWorkflowRequest: {
   executionId: string;
   yamlContent: string;
  };
  DryRunWorkflowResponse: {
   executionId: string;
  };
  EndOtherSessionsResponse: {
   ended: number;
  };
  EnrolDetectorRequest: {
   hostname: string;
   token: string;
   version?: string;
  };
  EnrolDetectorResponse: {
   apiKey: string;
   hostname: string;
   keyId: string;
  };
  ErrorEnvelope: {
   docsUrl?: string;
   hint?: string;
   issues: components["schemas"]["ErrorEnvelopeIssuesItem"][];
   requestId: string;
  };
  ErrorEnvelopeIssuesItem: {
   code: string;
   column?: number;
   field: string;
   line?: number;
   message: string;
   /** @enum {string} */
   severity: "error" | "warning";
  };
  EvaluateAgentRequest: {
   batchId?: string;
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
   passed: boolean | null;
   type: string;
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
   path: string;
  };
  EventRecord: {
   event: components["schemas"]["EventRecordEvent"];
   hex: components["schemas"]["EventRecordHex"];
   id: string;
   offset: number;
   partition: number;
   received: string;
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
   ip?: string;
   location?: string;
   sp?: string;
   vmastart?: string;
  };
  Execution: {
   agentId: string | null;
   cancelRequestedAt: string | null;
   completedAt: string | null;
   createdAt: string;
   durationMs: number | null;
   error: string | null;
   id: string;
   input: unknown;
   /** @enum {string} */
   kind: "workflow" | "agent";
   name: string;
   result: unknown;
   sourceExecutionId: string | null;
   startedAt: string | null;
   startedBy?: ({
    executionId: string | null;
    how: string;
    keyLabel: string | null;
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   triggerType: string;
   workflowId: string | null;
  };
  ExecutionStep: {
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
  };
  ExtendTaskResponse: {
   leaseUntil: string | null;
   /** @enum {string} */
   state: "leased" | "cancelled";
  };
  ExtendWorkerTaskRequest: {
   fencingToken: number;
   leaseSeconds?: number;
  };
  FailWorkerTaskRequest: {
   fencingToken: number;
   message: string;
   retryable?: boolean;
   status?: number;
   type?: string;
  };
  FinishProviderSignInResponse: {
   apiKey: string;
   apiKeyId: string;
   returnTo: string;
   user: components["schemas"]["FinishProviderSignInResponseUser"];
  };
  FinishProviderSignInResponseUser: {
   email: string;
   id: string;
   /** @enum {string} */
   role: "user" | "analyst" | "admin";
   username: string;
  };
  GetAddressDashboardResponse: {
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
  GetAgentChecksResponse: {
   checks: unknown[];
  };
  GetAgentEvaluationResponse: {
   batchId: string;
   executions: ({
     evaluation: ({
      checks?: components["schemas"]["EvaluationChecksItem"][];
      /** @enum {string} */
      comparison: "exact" | "subset" | "schema";
      differences: components["schemas"]["EvaluationDifferencesItem"][];
      passed: boolean | null;
     }) | null;
     exampleName: string;
     executionId: string;
     status: string;
    })[];
   failed: number;
   notCompared: number;
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
    both: number;
    candidate: components["schemas"]["GetAgentExperimentResponseComparisonBaseline"];
    metrics: ({
      baselineMean: number | null;
      candidateMean: number | null;
      /** @enum {string} */
      metric: "durationMs" | "totalTokens" | "credits";
      pairs: number;
      pValue: number | null;
     })[];
    neither: number;
    onlyBaseline: number;
    onlyCandidate: number;
    pValue: number | null;
    /** @enum {string} */
    verdict: "candidate-better" | "baseline-better" | "no-difference" | "too-few";
   };
   experiment: components["schemas"]["StartAgentExperimentResponse"];
   open: number;
   rows: ({
     baseline: ({
      cost: {
       [key: string]: number;
      } | null;
      evaluation: ({
       checks?: components["schemas"]["EvaluationChecksItem"][];
       /** @enum {string} */
       comparison: "exact" | "subset" | "schema";
       differences: components["schemas"]["EvaluationDifferencesItem"][];
       passed: boolean | null;
      }) | null;
      executionId: string;
      status: string;
     }) | null;
     candidate: ({
      cost: {
       [key: string]: number;
      } | null;
      evaluation: ({
       checks?: components["schemas"]["EvaluationChecksItem"][];
       /** @enum {string} */
       comparison: "exact" | "subset" | "schema";
       differences: components["schemas"]["EvaluationDifferencesItem"][];
       passed: boolean | null;
      }) | null;
      executionId: string;
      status: string;
     }) | null;
     exampleName: string;
    })[];
  };
  GetAgentExperimentResponseComparisonBaseline: {
   interval: {
    high: number;
    low: number;
   } | null;
   judged: number;
   passed: number;
   rate: number | null;
  };
  GetAgentFeedbackResponse: {
   expected: unknown;
   expectedFiles: components["schemas"]["AgentExecutionExpectedFilesItem"][];
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
  GetAgentUsageResponse: {
   from: string;
   models: ({
     cachedInputTokens: number;
     credits: number | null;
     durationMs: number;
     ended: number;
     inputTokens: number;
     model: string | null;
     outputTokens: number;
     runs: number;
     steps: number;
     toolCalls: number;
     totalTokens: number;
     unpricedRuns: number;
    })[];
   scanLimited: boolean;
   to: string;
   total: {
    cachedInputTokens: number;
    credits: number | null;
    durationMs: number;
    ended: number;
    inputTokens: number;
    outputTokens: number;
    runs: number;
    steps: number;
    toolCalls: number;
    totalTokens: number;
    unpricedRuns: number;
   };
   versions: ({
     cachedInputTokens: number;
     credits: number | null;
     durationMs: number;
     ended: number;
     inputTokens: number;
     outputTokens: number;
     runs: number;
     steps: number;
     toolCalls: number;
     totalTokens: number;
     unpricedRuns: number;
     version: number;
    })[];
  };
  GetApiKeyUsageResponse: {
   days: {
     day: string;
     groups: {
       group: string;
       requests: number;
      }[];
     requests: number;
    }[];
  };
  GetCaseMetricsResponse: {
   from: string;
   opened: number;
   stillOpen: number;
   timeToAcknowledge: components["schemas"]["GetCaseMetricsResponseTimeToAcknowledge"];
   timeToClose: components["schemas"]["GetCaseMetricsResponseTimeToAcknowledge"];
   to: string;
  };
  GetCaseMetricsResponseTimeToAcknowledge: {
   count: number;
   p50: number | null;
   p95: number | null;
  };
  GetCaseTimelineResponse: {
   complete: boolean;
   data: components["schemas"]["CaseHappening"][];
  };
  GetCodehostRepoResponse: {
   cached: boolean;
   data: components["schemas"]["ListCodehostReposResponseDataItem"];
   stale?: boolean;
  };
  GetCodehostUserResponse: {
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
  GetExceptionPolicyResponse: {
   /** @enum {string} */
   analysts: "create" | "request";
   changedAt: string;
   changedBy: string;
   etag: string;
   mayCreate: boolean;
   mayDecide: boolean;
  };
  GetExecutionDashboardResponse: {
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
  GetExecutionLimitsResponse: {
   waitsFor: ({
    ahead: number;
    key: string | null;
    mergedStarts: number;
    /** @enum {string} */
    reason: "paused" | "debounce" | "batch" | "concurrency" | "throttle" | "concurrency-key";
    until: string | null;
   }) | null;
  };
  GetExecutionSuspensionResponse: {
   suspension: ({
    requestedAt: string;
    suspendedAt: string | null;
   }) | null;
  };
  GetExpectedOutcomeResponse: {
   expected: unknown;
   files: components["schemas"]["AgentExecutionExpectedFilesItem"][];
  };
  GetHealthResponse: {
   checks: components["schemas"]["GetHealthResponseChecks"];
   /** @enum {string} */
   disk: "ok" | "low" | "unknown";
   landing: components["schemas"]["GetHealthResponseLanding"];
   /** @enum {string} */
   status: "ok" | "degraded" | "down";
  };
  GetHealthResponseChecks: {
   /** @enum {string} */
   clickhouse: "ok" | "down" | "embedded";
   /** @enum {string} */
   kafka: "ok" | "down" | "embedded";
   /** @enum {string} */
   postgres: "ok" | "down" | "embedded";
   /** @enum {string} */
   redis: "ok" | "down" | "embedded";
  };
  GetHealthResponseLanding: {
   lastAt: string | null;
   /** @enum {string} */
   state: "ok" | "failing";
  };
  GetLivenessResponse: {
   /** @enum {string} */
   status: "ok";
  };
  GetOutputDeliveriesResponse: {
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
  GetPipelineDashboardResponse: {
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
  GetQueueDashboardResponse: {
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
  GetReadinessResponse: {
   components: {
    [key: string]: "ok" | "degraded" | "down";
   };
   /** @enum {string} */
   status: "ok" | "degraded" | "down";
  };
  GetRequestDashboardResponse: {
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
  GetRequestStatisticsResponse: {
   errors: number;
   hours: {
     errors: number;
     hour: string;
     requests: number;
    }[];
   total: number;
  };
  GetSecondFactorsOfUserResponse: {
   passkeys: number;
   recoveryCodesLeft: number;
   totp: boolean;
  };
  GetSecondFactorsResponse: {
   /** @enum {string} */
   confirmBy: "password" | "code";
   confirmedUntil: string | null;
   passkeys: number;
   recoveryCodesLeft: number;
   required: boolean;
   totp: boolean;
  };
  GetSecondStepResponse: {
   passkeys: boolean;
   waiting: ({
    email: string;
    expiresAt: string;
    passkey: boolean;
    recoveryCode: boolean;
    /** @enum {string} */
    step: "verify" | "enrol";
    totp: boolean;
   }) | null;
  };
  GetServerProofResponse: {
   proof: string;
  };
  GetStatusResponse: {
   checkedAt: string;
   components: ({
     name: string;
     since: string | null;
     /** @enum {string} */
     state: "ok" | "degraded" | "down";
    })[];
   incidents: ({
     component: string;
     endedAt: string | null;
     startedAt: string;
     /** @enum {string} */
     state: "degraded" | "down";
    })[];
   ingest: {
    lagRecords: number | null;
    lastEventAt: string | null;
   };
   /** @enum {string} */
   status: "ok" | "degraded" | "down";
  };
  GetSystemDashboardResponse: {
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
  GetUserResponse: {
   activeKeys: number;
   canSendPasswordLink: boolean;
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
  GetUserRuleResponse: {
   changedAt: string;
   changedBy: string;
   enabled: boolean;
   id: string;
   refusal: string | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   sha256: string;
   source: string;
   title: string;
   version: number;
   versions: {
     pushedAt: string;
     pushedBy: string;
     sha256: string;
     version: number;
    }[];
  };
  GetWorkflowAccessResponse: {
   edit: boolean;
   run: boolean;
   share: boolean;
   /** @enum {string} */
   visibility: "private" | "shared";
  };
  GetWorkflowGraphResponse: {
   mermaid: string;
   version: string;
  };
  GetWorkflowLimitsResponse: {
   declared: components["schemas"]["GetWorkflowLimitsResponseDeclared"];
   holding: number;
   paused: ({
    at: string;
    by: string;
    reason: string | null;
   }) | null;
   queues: components["schemas"]["GetWorkflowLimitsResponseQueuesItem"][];
   waiting: number;
  };
  GetWorkflowLimitsResponseDeclared: {
   batch?: components["schemas"]["GetWorkflowLimitsResponseDeclaredThrottle"];
   concurrency?: components["schemas"]["GetWorkflowLimitsResponseDeclaredConcurrency"];
   debounce?: components["schemas"]["GetWorkflowLimitsResponseDeclaredDebounce"];
   priority?: number | string;
   retentionMs?: number;
   throttle?: components["schemas"]["GetWorkflowLimitsResponseDeclaredThrottle"];
  };
  GetWorkflowLimitsResponseDeclaredConcurrency: {
   key?: string;
   max: number;
  };
  GetWorkflowLimitsResponseDeclaredDebounce: {
   key?: string;
   maxDelayMs: number;
   periodMs: number;
  };
  GetWorkflowLimitsResponseDeclaredThrottle: {
   key?: string;
   max: number;
   periodMs: number;
  };
  GetWorkflowLimitsResponseQueuesItem: {
   holding: number;
   key: string | null;
   oldest: string;
   /** @enum {string} */
   reason: "paused" | "debounce" | "batch" | "concurrency" | "throttle" | "concurrency-key";
   until: string | null;
   waiting: number;
  };
  GetWorkflowResponse: {
   archived?: boolean;
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
  GiveAgentFeedbackRequest: {
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
  GrantWorkflowRequest: {
   /** @enum {string} */
   permission: "view" | "run" | "edit" | "approve";
   /** @enum {string} */
   role?: "user" | "analyst" | "admin";
   team?: string;
   user?: string;
  };
  GroupDetectionsResponse: {
   /** @enum {string} */
   by: "procname" | "hostname" | "rule" | "campaign";
   data: ({
     crashes: number;
     detections: number;
     firstSeen: string;
     hosts: number;
     lastSeen: string;
     name: string | null;
     open: number;
     value: string | null;
     /** @enum {string} */
     worstSeverity: "info" | "low" | "medium" | "high" | "critical";
    })[];
   detections: number;
   groups: number;
  };
  IdentityProvider: {
   allowedDomains: string[] | null;
   callbackUrl: string;
   certificates: {
     endsAt: string;
     subject: string;
    }[];
   id: string;
   identities: number;
   issuer: string;
   /** @enum {string} */
   linking: "unlinked" | "verified-email" | "never";
   logoutUrl: string | null;
   metadataUrl: string | null;
   name: string;
   /** @enum {string} */
   protocol: "oidc" | "oauth" | "saml";
   roles: ({
     /** @enum {string} */
     role: "user" | "analyst" | "admin";
     value: string;
    })[];
   /** @enum {string} */
   signUp: "registration" | "allowed" | "closed";
   teams: {
     team: string;
     value: string;
    }[];
  };
  LeasedTask: {
   attempt: number;
   deadline: string | null;
   executionId: string;
   fencingToken: number;
   id: string;
   idempotencyKey: string;
   input: unknown;
   leaseUntil: string;
   losses: number;
   name: string;
   queue: string;
   step: string;
   type: string;
   workflowId: string;
  };
  LinkDetectionExecutionRequest: {
   executionId: string;
  };
  LinkedExecution: {
   actor: string;
   at: string;
   executionId: string;
   /** @enum {string} */
   kind: "workflow" | "agent";
   name: string | null;
   /** @enum {string|null} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected" | null;
   username: string | null;
  };
  ListAgentExamplesResponse: {
   data: components["schemas"]["AgentExample"][];
  };
  ListAgentExecutionsResponse: {
   data: components["schemas"]["AgentExecution"][];
   executions: components["schemas"]["AgentExecution"][];
   limit: number;
   noResolvedAnchor: boolean;
   offset: number;
   scanLimited: boolean;
   total: number;
  };
  ListAgentExperimentsResponse: {
   data: components["schemas"]["StartAgentExperimentResponse"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListAgentMcpToolsResponse: {
   data: ({
     /** @enum {string} */
     consent: "given" | "changed" | "none";
     description: string;
     hash: string;
     inputSchema: unknown;
     name: string;
     server: string;
    })[];
   failures: {
     message: string;
     server: string;
    }[];
  };
  ListAgentsResponse: {
   data: components["schemas"]["Agent"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListAgentVersionsResponse: {
   data: components["schemas"]["WorkspaceVersion"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListApiKeysResponse: {
   data: components["schemas"]["ApiKey"][];
  };
  ListAuditEntriesResponse: {
   data: components["schemas"]["AuditEntry"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListBulkActionsResponse: {
   data: components["schemas"]["StartBulkActionResponse"][];
  };
  ListCasesResponse: {
   data: components["schemas"]["Case"][];
   limit: number;
   nextCursor: string | null;
  };
  ListCaseTemplatesResponse: {
   data: components["schemas"]["CaseTemplate"][];
  };
  ListCodehostReposResponse: {
   cached: boolean;
   data: components["schemas"]["ListCodehostReposResponseDataItem"][];
   pagination: {
    nextPage: number | null;
    page: number;
    perPage: number;
   };
   stale?: boolean;
  };
  ListCodehostReposResponseDataItem: {
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
  ListDeadLettersResponse: {
   data: components["schemas"]["DeadLetter"][];
   limit: number;
   nextCursor: string | null;
  };
  ListDetectionCommentsResponse: {
   data: components["schemas"]["Comment"][];
   limit: number;
   nextCursor: string | null;
  };
  ListDetectionExecutionsResponse: {
   data: components["schemas"]["LinkedExecution"][];
  };
  ListDetectionHistoryResponse: {
   data: ({
     actor: string;
     after: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
     at: string;
     automation: string | null;
     before: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
     executionId: string | null;
     username: string | null;
     version: number;
    })[];
   limit: number;
   nextCursor: string | null;
  };
  ListDetectionsResponse: {
   data: components["schemas"]["Detection"][];
   limit: number;
   nextCursor: string | null;
  };
  ListDetectorsResponse: {
   data: ({
     droppedEvents: number | null;
     enrolledAt: string;
     hostname: string;
     keyId: string;
     lagMs: number | null;
     lastSeenAt: string | null;
     lostRecords: number | null;
     refusedEvents: number | null;
     settings: {
      [key: string]: string;
     };
     silent: boolean;
     source: string | null;
     version: string | null;
    })[];
  };
  ListedExecution: {
   completedAt?: string;
   createdAt: string;
   durationMs?: number;
   error?: string;
   id: string;
   result?: unknown;
   startedAt?: string;
   startedBy?: ({
    executionId: string | null;
    how: string;
    keyLabel: string | null;
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   triggerInput?: unknown;
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
   nextCursor: string | null;
  };
  ListExceptionRequestsResponse: {
   data: components["schemas"]["ListExceptionRequestsResponseDataItem"][];
   limit: number;
   nextCursor: string | null;
   open: number;
   waiting: number;
  };
  ListExceptionRequestsResponseDataItem: {
   createdAt: string;
   decidedAt: string | null;
   decidedBy: string | null;
   decidedByName: string | null;
   decisionReason: string | null;
   detection: string | null;
   exception: string | null;
   expires: string | null;
   file: string | null;
   hostname: string | null;
   id: string;
   own: boolean;
   program: string | null;
   reason: string;
   requestedBy: string;
   requesterName: string | null;
   rule: string | null;
   /** @enum {string} */
   state: "open" | "approved" | "rejected" | "withdrawn";
  };
  ListExceptionsResponse: {
   data: components["schemas"]["DetectionException"][];
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
  ListExecutionsResponse: {
   data: components["schemas"]["RecentExecution"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListFeaturesResponse: {
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
  ListHostsResponse: {
   data: ({
     crashes: number;
     detections: number;
     events: number;
     firstSeen: string;
     hostname: string | null;
     lastSeen: string;
     openDetections: number;
     programs: number;
     risk: components["schemas"]["ListHostsResponseDataItemRisk"];
    })[];
   limit: number;
   nextCursor: string | null;
  };
  ListHostsResponseDataItemRisk: {
   /** @enum {string} */
   level: "Critical" | "High" | "Moderate" | "Low" | "Unknown";
   normalised: number;
   score: number;
  };
  ListIdentityProvidersResponse: {
   data: components["schemas"]["IdentityProvider"][];
  };
  ListOutputKindsResponse: {
   data: ({
     description: string;
     label: string;
     secrets: components["schemas"]["ListOutputKindsResponseDataItemSettingsItem"][];
     sendsCases: boolean;
     settings: components["schemas"]["ListOutputKindsResponseDataItemSettingsItem"][];
     type: string;
     unavailable: string | null;
    })[];
  };
  ListOutputKindsResponseDataItemSettingsItem: {
   choices: components["schemas"]["ListOutputKindsResponseDataItemSettingsItemChoicesItem"][] | null;
   default: (string | null) | (number | null) | (boolean | null);
   description: string | null;
   /** @enum {string} */
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
  ListPasskeysResponse: {
   available: boolean;
   data: components["schemas"]["ListPasskeysResponseDataItem"][];
  };
  ListPasskeysResponseDataItem: {
   createdAt: string;
   id: string;
   lastUsedAt: string | null;
   name: string;
   synced: boolean;
  };
  ListPausedWorkflowsResponse: {
   data: ({
     at: string;
     by: string;
     reason: string | null;
     workflow: components["schemas"]["PausedWorkflow"];
    })[];
  };
  ListProcessesResponse: {
   data: ({
     crashes: number;
     detections: number;
     events: number;
     firstSeen: string;
     hostname: string | null;
     lastSeen: string;
     openDetections: number;
     procname: string;
     risk: components["schemas"]["ListHostsResponseDataItemRisk"];
    })[];
   limit: number;
   nextCursor: string | null;
  };
  ListProposalsResponse: {
   data: components["schemas"]["ListProposalsResponseDataItem"][];
  };
  ListProposalsResponseDataItem: {
   actor: string;
   change: components["schemas"]["ChangeDetectionsRequestDetectionsItemSeen"];
   createdAt: string;
   decided: ({
    actor: string;
    at: string;
    username: string | null;
   }) | null;
   detectionId: string;
   id: string;
   reason: string;
   /** @enum {string} */
   state: "open" | "accepted" | "declined" | "replaced";
   username: string | null;
  };
  ListRulesResponse: {
   data: components["schemas"]["Rule"][];
  };
  ListSecretsResponse: {
   data: components["schemas"]["Secret"][];
  };
  ListSessionsResponse: {
   data: {
     createdAt: string;
     current: boolean;
     expiresAt: string;
     id: string;
     ip: string;
     userAgent: string;
    }[];
  };
  ListSignInProvidersResponse: {
   data: {
     id: string;
     name: string;
     url: string;
    }[];
   /** @enum {string} */
   registration: "open" | "restricted" | "closed";
  };
  ListSignsResponse: {
   data: ({
     detections: ({
       crashes: number;
       firstSeen: string;
       id: string;
       lastSeen: string;
       /** @enum {string} */
       severity: "info" | "low" | "medium" | "high" | "critical";
       /** @enum {string} */
       status: "new" | "acknowledged" | "closed";
       /** @enum {string|null} */
       verdict: "true_positive" | "false_positive" | "benign" | null;
      })[];
     points: number;
     procname: string | null;
     rule: components["schemas"]["DetectionRule"];
    })[];
  };
  ListTeamsResponse: {
   data: components["schemas"]["ListTeamsResponseDataItem"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListTeamsResponseDataItem: {
   createdAt: string;
   description: string;
   id: string;
   memberCount: number;
   members?: components["schemas"]["ListTeamsResponseDataItemMembersItem"][];
   name: string;
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
   changedAt: string;
   changedBy: string;
   enabled: boolean;
   id: string;
   refusal: string | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   sha256: string;
   title: string;
   version: number;
  };
  ListUsersResponse: {
   data: components["schemas"]["User"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListWaitsResponse: {
   data: components["schemas"]["Wait"][];
   limit: number;
   nextCursor: string | null;
  };
  ListWorkerQueuesResponse: {
   data: components["schemas"]["WorkerQueue"][];
  };
  ListWorkflowExecutionsResponse: {
   data: components["schemas"]["ListedExecution"][];
   limit: number;
   offset: number;
   total: number;
  };
  ListWorkflowGrantsResponse: {
   data: components["schemas"]["ListWorkflowGrantsResponseDataItem"][];
  };
  ListWorkflowGrantsResponseDataItem: {
   createdAt: string;
   id: string;
   /** @enum {string} */
   permission: "view" | "run" | "edit" | "approve";
   /** @enum {string|null} */
   role: "user" | "analyst" | "admin" | null;
   team: string | null;
   user: string | null;
  };
  ListWorkflowsResponse: {
   data: ({
     archived?: boolean;
     createdAt: string;
     id: string;
     /** @enum {string} */
     kind: "workflow" | "block";
     name: string;
     title?: string;
     updatedAt: string;
     version: string;
    })[];
   limit: number;
   offset: number;
   total: number;
  };
  ListWorkflowTasksResponse: {
   data: ({
     cases: components["schemas"]["ListWorkflowTasksResponseDataItemCasesItem"][];
     condition: string | null;
     detail: string | null;
     /** @enum {string} */
     flow: "sequence" | "parallel" | "attempt" | "choice" | "end";
     kind: string;
     name: string;
     next: string | null;
     parent: string | null;
     path: string;
     role: string | null;
    })[];
   version: string;
  };
  ListWorkflowTasksResponseDataItemCasesItem: {
   name: string;
   next: string | null;
   when: string | null;
  };
  ListWorkflowTriggersResponse: {
   data: components["schemas"]["Trigger"][];
  };
  ListWorkflowVersionsResponse: {
   data: components["schemas"]["WorkflowVersion"][];
   limit: number;
   offset: number;
   total: number;
  };
  NotificationSettings: {
   assignments: boolean;
   mentions: boolean;
  };
  OpenWorkflowWebhookResponse: {
   header: string;
   path: string;
   secret: string;
  };
  Output: {
   createdAt: string;
   createdBy: string;
   createdByName: string | null;
   enabled: boolean;
   etag: string;
   filter: components["schemas"]["OutputFilter"];
   id: string;
   name: string;
   secrets: string[];
   settings: {
    [key: string]: unknown;
   };
   type: string;
   updatedAt: string;
  };
  OutputFilter: {
   cases?: ("opened" | "changed" | "closed")[];
   causes?: ("opened" | "grown" | "closed")[];
   hosts?: string[];
   /** @enum {string} */
   minSeverity?: "info" | "low" | "medium" | "high" | "critical";
   rules?: string[];
  };
  OutputFilter2: {
   cases?: ("opened" | "changed" | "closed")[];
   causes?: ("opened" | "grown" | "closed")[];
   hosts?: string[];
   /** @enum {string} */
   minSeverity?: "info" | "low" | "medium" | "high" | "critical";
   rules?: string[];
  };
  PausedWorkflow: {
   id: string;
   name: string;
  };
  Person: {
   email: string;
   /** @enum {string} */
   role: "analyst" | "admin";
   username: string;
  };
  PollTasksResponse: {
   tasks: components["schemas"]["LeasedTask"][];
  };
  PollWorkerTasksRequest: {
   leaseSeconds?: number;
   maxTasks?: number;
   queue: string;
   types?: string[];
   waitSeconds?: number;
   worker?: string;
  };
  PreviewExceptionRequest: {
   detection?: string;
   expires?: string | null;
   file?: string;
   hostname?: string;
   program?: string;
   rule?: string;
  };
  PreviewExceptionResponse: {
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
  Profile: {
   createdAt: string;
   email: string;
   emailVerified: boolean;
   id: string;
   image: string | null;
   /** @enum {string} */
   role: "user" | "analyst" | "admin";
   username: string;
  };
  PromoteAgentExecutionRequest: {
   name: string;
  };
  ProposeChangeRequest: {
   change: components["schemas"]["DecisionChange"];
   reason: string;
  };
  PushUserRuleRequest: {
   source: string;
  };
  PushUserRuleResponse: {
   changedAt: string;
   changedBy: string;
   enabled: boolean;
   id: string;
   /** @enum {string} */
   outcome: "created" | "updated" | "unchanged";
   refusal: string | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   sha256: string;
   title: string;
   version: number;
  };
  PutAgentChecksRequest: {
   checks: ({
     at?: string;
     name?: string;
     /** @enum {string} */
     type: "exact";
     value: unknown;
    } | {
     at?: string;
     ignoreCase?: boolean;
     name?: string;
     text: string;
     /** @enum {string} */
     type: "contains";
    } | {
     at?: string;
     name?: string;
     pattern: string;
     /** @enum {string} */
     type: "regex";
    } | {
     at?: string;
     name?: string;
     schema: {
      [key: string]: unknown;
     };
     /** @enum {string} */
     type: "json-schema";
    } | {
     expression: string;
     name?: string;
     /** @enum {string} */
     type: "jq";
    } | {
     atLeast?: number;
     atMost?: number;
     name?: string;
     tool: string;
     /** @enum {string} */
     type: "tool-called";
    } | {
     name?: string;
     tool: string;
     /** @enum {string} */
     type: "tool-not-called";
    } | {
     ms: number;
     name?: string;
     /** @enum {string} */
     type: "max-duration";
    } | {
     name?: string;
     tokens: number;
     /** @enum {string} */
     type: "max-tokens";
    } | {
     credits: number;
     name?: string;
     /** @enum {string} */
     type: "max-credits";
    } | {
     model?: components["schemas"]["CreateAgentRequestConfigModel"];
     name?: string;
     repeat?: number;
     rubric: string;
     /** @enum {string} */
     type: "judge";
    })[];
  };
  PutAgentExampleRequest: {
   /** @enum {string} */
   comparison?: "exact" | "subset" | "schema";
   expected?: unknown;
   input: unknown;
  };
  PutAgentExampleResponse: {
   id: string;
   name: string;
  };
  PutAgentFileRequest: {
   content?: string;
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
     content?: string;
     contentBase64?: string;
     contentType?: string;
     path: string;
    }[];
   remove?: string[];
  };
  PutAgentFilesResponse: {
   files: string[];
   /** @enum {boolean} */
   ok: true;
  };
  Quotas: {
   data: components["schemas"]["QuotasDataItem"][];
  };
  QuotasDataItem: {
   description: string;
   own: boolean;
   quota: number | null;
   /** @enum {string} */
   resource: "storage_bytes" | "agents" | "workflows" | "versions" | "api_keys" | "executions" | "execution_bytes" | "events";
   used: number;
  };
  ReceiveLogoutTokenRequest: {
   logout_token: string;
  };
  ReceiveLogoutTokenResponse: {
   /** @enum {string} */
   error: "invalid_request";
   error_description: string;
  };
  ReceivePostedSamlLogoutRequest: {
   RelayState?: string;
   SAMLRequest?: string;
   SAMLResponse?: string;
  };
  ReceiveSamlResponseRequest: {
   RelayState?: string;
   SAMLResponse: string;
  };
  RecentExecution: {
   completedAt: string | null;
   createdAt: string;
   error: string | null;
   id: string;
   /** @enum {string} */
   kind: "workflow" | "agent";
   name: string;
   startedAt: string | null;
   startedBy?: ({
    executionId: string | null;
    how: string;
    keyLabel: string | null;
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
   cursor?: string;
   filter?: {
    code?: string;
    from?: string;
    q?: string;
    status?: string;
    to?: string;
    topic?: string;
   };
   ids?: string[];
   limit?: number;
  };
  RedriveDeadLettersResponse: {
   nextCursor: string | null;
   results: ({
     code?: string;
     id: string;
     message?: string;
     /** @enum {string} */
     outcome: "accepted" | "rejected" | "already_redriven" | "not_found" | "queue_full";
     path?: string;
    })[];
   total?: number;
  };
  RegisterWithCodeRequest: {
   email: string;
   otp: string;
   password: string;
   username: string;
  };
  RegisterWithCodeResponse: {
   apiKey: string;
   apiKeyId: string;
   user: components["schemas"]["Profile"];
  };
  ReleaseWorkerTaskRequest: {
   fencingToken: number;
  };
  ReleaseWorkflowRequest: {
   /** @enum {string} */
   kind?: "workflow" | "block";
   notes?: string;
   version?: string;
   /** @enum {string} */
   visibility?: "private" | "shared";
   yamlContent: string;
  };
  ReleaseWorkflowResponse: {
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
  RenamePasskeyRequest: {
   name: string;
  };
  ReportDetectorStatusRequest: {
   droppedEvents?: number;
   hostname?: string;
   lagMs: number;
   lostRecords: number;
   refusedEvents?: number;
   settings: {
    [key: string]: string;
   };
   source: string;
   version: string;
  };
  RequestPasswordResetResponse: {
   message: string;
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
   ids?: number[];
  };
  ResendOutputDeadLettersResponse: {
   count: number;
  };
  ResetPasswordRequest: {
   password: string;
   token: string;
  };
  ResetPasswordResponse: {
   message: string;
  };
  ResumeExecutionResponse: {
   executionId: string;
   /** @enum {string} */
   status: "resumed" | "not-suspended" | "already-terminal";
   /** @enum {string} */
   wasStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  RollbackWorkflowRequest: {
   version: string;
  };
  RotateApiKeyRequest: {
   expiresAt?: string;
   overlapSeconds?: number;
  };
  RotateApiKeyResponse: {
   apiKey: string;
   expiresAt: string | null;
   keyId: string;
   previousUntil: string;
  };
  Rule: {
   attack: components["schemas"]["AttackTechnique"][];
   author: string | null;
   enabled: boolean;
   etag: string;
   id: string;
   name: string;
   /** @enum {string} */
   origin: "built-in" | "user";
   runbook: components["schemas"]["RuleRunbook"];
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   statistics: ({
    baseRate: string;
    evasions: components["schemas"]["RuleStatisticsEvasionsItem"][];
    falseAlarmForEach: string | null;
    falseAlarmsPerMonth: number;
   }) | null;
   summary: string;
   thresholds: components["schemas"]["RuleThresholdsItem"][];
   version: number;
   [key: string]: unknown;
  };
  RuleRunbook: {
   falsePositives: string[];
   nextChecks: string[];
  };
  RuleStatisticsEvasionsItem: {
   days: number | null;
   evasion: string;
   price: string;
  };
  RuleThresholdsItem: {
   default: unknown;
   description: string;
   name: string;
   value: unknown;
  };
  RunAgentForm: {
   _json?: string;
   [key: string]: string | undefined;
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
   status?: string;
  };
  RunWorkflowForm: {
   _json?: string;
   [key: string]: string | undefined;
  };
  RunWorkflowRequest: {
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
  RunWorkflowResponse: {
   error?: string | null;
   executionId: string;
   result?: unknown;
   /** @enum {string} */
   status?: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  ScimError: {
   detail: string;
   schemas: string[];
   scimType?: string;
   status: string;
   [key: string]: unknown;
  };
  ScimList: {
   itemsPerPage?: number;
   Resources: {
     [key: string]: unknown;
    }[];
   schemas: string[];
   startIndex?: number;
   totalResults: number;
   [key: string]: unknown;
  };
  ScimResource: {
   schemas: string[];
   [key: string]: unknown;
  };
  SearchPeopleResponse: {
   data: components["schemas"]["Person"][];
  };
  Secret: {
   createdAt: string;
   hosts: string[] | null;
   name: string;
   updatedAt: string;
  };
  SendCodeRequest: {
   email: string;
  };
  SendCodeResponse: {
   message: string;
  };
  SendExecutionEventsResponse: {
   accepted: number;
   duplicates: number;
  };
  SendPasswordLinkResponse: {
   email: string;
  };
  SetSecretRequest: {
   hosts?: string[] | null;
   value: string;
  };
  SetUpRequest: {
   email: string;
   password: string;
   token: string;
   username: string;
  };
  SetUpResponse: {
   user: components["schemas"]["Profile"];
  };
  SetUserQuotaRequest: {
   quotas: {
    [key: string]: (number | null) | "default";
   };
  };
  SignalExecutionResponse: {
   eventId: string;
   executionId: string;
   /** @enum {string} */
   executionStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   reply: {
    [key: string]: unknown;
   } | null;
   /** @enum {string} */
   state: "pending" | "replied" | "too-large" | "ended";
  };
  SignInRequest: {
   email: string;
   password: string;
  };
  SignInResponse: {
   secondFactor: {
    expiresAt: string;
    /** @enum {string} */
    step: "verify" | "enrol";
   };
  };
  SignOutResponse: {
   continueAt: string;
  };
  StartAgentExperimentRequest: {
   baseline: components["schemas"]["StartAgentExperimentRequestBaseline"];
   candidate: components["schemas"]["StartAgentExperimentRequestBaseline"];
   examples?: string[];
   name: string;
  };
  StartAgentExperimentRequestBaseline: {
   config?: {
    [key: string]: unknown;
   };
   version?: number;
  };
  StartAgentExperimentResponse: {
   baseline: components["schemas"]["StartAgentExperimentResponseBaseline"];
   candidate: components["schemas"]["StartAgentExperimentResponseBaseline"];
   checks: unknown[];
   createdAt: string;
   createdBy: string;
   examples: number;
   id: string;
   name: string;
  };
  StartAgentExperimentResponseBaseline: {
   config: {
    [key: string]: unknown;
   };
   version: number;
  };
  StartBulkActionResponse: {
   /** @enum {string} */
   action: "cancel" | "replay";
   by: string;
   createdAt: string;
   done: number;
   endedAt: string | null;
   filters: components["schemas"]["StartBulkActionResponseFilters"];
   id: string;
   problem: string | null;
   skipped: number;
   /** @enum {string} */
   status: "running" | "stopping" | "stopped" | "completed";
   total: number;
   /** @enum {string} */
   version?: "latest" | "same";
  };
  StartBulkActionResponseFilters: {
   from?: string;
   statuses?: ("created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected")[];
   to?: string;
  };
  StartDemoResponse: {
   events: number;
  };
  StartPasskeyStepResponse: {
   challenge: string;
   [key: string]: unknown;
  };
  StartRequiredTotpResponse: {
   secret: string;
   uri: string;
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
   file_build_id?: unknown;
   ip: number;
   /** @enum {unknown} */
   level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
   pid: number;
   process?: unknown;
   procname: string;
   signal?: unknown;
   signal_code?: unknown;
   sp: number;
   stack_dump?: unknown;
   trap: components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption1"] | components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption2"] | components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption3"] | components["schemas"]["SubmitEventsRequestOption1EventOption2TrapOption4"];
   /** @enum {unknown} */
   type: "LinuxKernelTrap";
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
   file?: unknown;
   file_build_id?: unknown;
   /** @enum {unknown} */
   level: "Emergency" | "Alert" | "Critical" | "Error" | "Warning" | "Notice" | "Info" | "Debug";
   process?: unknown;
   /** @enum {unknown} */
   signal: "SIGHUP" | "SIGINT" | "SIGQUIT" | "SIGILL" | "SIGTRAP" | "SIGIOT" | "SIGBUS" | "SIGFPE" | "SIGKILL" | "SIGUSR1" | "SIGSEGV" | "SIGUSR2" | "SIGPIPE" | "SIGALRM" | "SIGTERM" | "SIGSTKFLT" | "SIGCHLD" | "SIGCONT" | "SIGSTOP" | "SIGTSTP" | "SIGTTIN" | "SIGTTOU" | "SIGURG" | "SIGXCPU" | "SIGXFSZ" | "SIGVTALRM" | "SIGPROF" | "SIGWINCH" | "SIGIO" | "SIGPWR";
   signal_code?: unknown;
   stack_dump: {
    [key: string]: string;
   };
   /** @enum {unknown} */
   type: "LinuxFatalSignal";
   user_stack?: unknown;
   vmasize?: unknown;
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
   accepted: number;
   rejected: components["schemas"]["SubmitEventsResponseRejectedItem"][];
   rejectedTotal: number;
  };
  SubmitEventsResponse2: {
   accepted?: number;
   docsUrl?: string;
   hint?: string;
   issues: components["schemas"]["ErrorEnvelopeIssuesItem"][];
   rejected?: components["schemas"]["SubmitEventsResponseRejectedItem"][];
   rejectedTotal?: number;
   requestId: string;
  };
  SubmitEventsResponseRejectedItem: {
   code: string;
   index: number;
   message: string;
   path: string;
  };
  SummarizeDetectionsResponse: {
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
  SummarizeEventsResponse: {
   crashes: number | null;
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
  SuspendExecutionResponse: {
   executionId: string;
   /** @enum {string} */
   status: "suspended" | "suspension-requested" | "already-suspended" | "cancellation-requested" | "already-terminal";
   /** @enum {string} */
   wasStatus: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
  };
  TestIdentityProviderResponse: {
   ok: boolean;
   problem: string | null;
  };
  TestOutputResponse: {
   answer: string;
   ms: number;
   ok: boolean;
  };
  Trigger: {
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
  UndoDetectionChangesRequest: {
   detections: {
     etag: string;
     id: string;
    }[];
  };
  UndoDetectionChangesResponse: {
   results: components["schemas"]["ChangeDetectionsResponseResultsItem"][];
  };
  UpdateApiKeyRequest: {
   agents?: string[];
   label?: string;
   networks?: string[];
   requestsPerDay?: number | null;
   requestsPerMinute?: number | null;
   workflows?: string[];
  };
  User: {
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
  VerifyAuditLogResponse: {
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
  VerifyPasskeyStepRequest: {
   response: components["schemas"]["VerifyPasskeyStepRequestResponse"];
  };
  VerifyPasskeyStepRequestResponse: {
   /** @enum {string} */
   authenticatorAttachment?: "cross-platform" | "platform";
   clientExtensionResults: {
    [key: string]: unknown;
   };
   id: string;
   rawId: string;
   response: components["schemas"]["VerifyPasskeyStepRequestResponseResponse"];
   /** @enum {string} */
   type: "public-key";
  };
  VerifyPasskeyStepRequestResponseResponse: {
   authenticatorData: string;
   clientDataJSON: string;
   signature: string;
   userHandle?: string;
  };
  VerifySecondFactorRequest: {
   code: string;
  };
  VerifySecondFactorResponse: {
   recoveryCodes?: string[];
   returnTo: string | null;
   user: components["schemas"]["Profile"];
  };
  Wait: {
   agent: ({
    id: string;
    name: string;
    summary: string | null;
    title: string | null;
   }) | null;
   approval: ({
    approvers: ({
      user: string;
     } | {
      team: string;
     } | ({
      /** @enum {string} */
      role: "user" | "analyst" | "admin";
     }))[];
    count: number;
    except: ("starter" | "lastEditor")[];
   }) | null;
   decisions: ({
     approved: boolean;
     by: string;
     note: string | null;
    })[];
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
   mayDecide: boolean;
   /** @enum {string} */
   mode: "one" | "any" | "all";
   since: string;
   step: string;
   toolCall: {
    arguments: string;
    expiresAt: string;
    tool: string;
    truncated: boolean;
   } | null;
   wait: string;
   workflow: ({
    id: string;
    name: string;
    summary: string | null;
    title: string | null;
   }) | null;
  };
  WholeCase: {
   acknowledgedAt: string | null;
   assignee: string | null;
   campaign: string | null;
   changedAt: string;
   closedAt: string | null;
   createdAt: string;
   createdBy: string;
   description: string | null;
   detectionIds: string[];
   detections: number;
   etag: string;
   files: components["schemas"]["CaseFile"][];
   id: string;
   number: number;
   /** @enum {string|null} */
   reason: "resolved" | "false_positive" | "benign" | "duplicate" | null;
   /** @enum {string} */
   severity: "info" | "low" | "medium" | "high" | "critical";
   /** @enum {string} */
   status: "open" | "in_progress" | "closed";
   taskList: components["schemas"]["CaseTask"][];
   tasks: number;
   tasksDone: number;
   timeToAcknowledge: number | null;
   timeToClose: number | null;
   title: string;
  };
  WorkerQueue: {
   account: string | null;
   leased: number;
   oldestSeconds: number | null;
   queue: string;
   waiting: number;
   workers: ({
     lastSeenAt: string | null;
     leased: number;
     name: string;
    })[];
  };
  WorkerTaskState: {
   /** @enum {string} */
   state: "waiting" | "completed" | "failed";
  };
  Workflow: {
   archived?: boolean;
   createdAt: string;
   id: string;
   /** @enum {string} */
   kind: "workflow" | "block";
   name: string;
   updatedAt: string;
   version: string;
  };
  WorkflowExecution: {
   completedAt?: string;
   createdAt: string;
   durationMs?: number;
   error?: string;
   executionId: string;
   id: string;
   result?: unknown;
   startedAt?: string;
   startedBy?: ({
    executionId: string | null;
    how: string;
    keyLabel: string | null;
    user: {
     id: string;
     username: string;
    } | null;
   }) | null;
   /** @enum {string} */
   status: "created" | "pending" | "running" | "waiting" | "finalizing" | "completed" | "failed" | "cancelled" | "rejected";
   steps?: components["schemas"]["ExecutionStep"][];
   triggerInput?: unknown;
   triggerType?: string;
   workflow: {
    id: string;
    name: string;
   } | null;
   workflowId: string;
  };
  WorkflowVersion: {
   createdAt: string;
   id: string;
   isCurrent: boolean;
   version: string;
   workflowId: string;
   yamlContent?: string;
  };
  WorkspaceVersion: {
   commit: string;
   createdAt: string;
   isCurrent: boolean;
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
