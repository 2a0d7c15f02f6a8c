/** The origin of a request, for audit entries, security events and mails. */
export interface RequestOrigin {
  /** The client's address, by the rules for trusted proxies. */
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}
