export interface MailServerConfig {
  /** `smtp://` or `smtps://`, optionally with user and password; options of nodemailer as query parameters. */
  readonly smtpUrl?: string | undefined;
  /** Sender: an address, or `Name <address>`. */
  readonly from?: string | undefined;
  /** The account if the URL names none. Without a URL, its domain selects the server. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** True if a mail server is configured, by URL or by account. */
export function hasMailServer({ smtpUrl, user }: MailServerConfig): boolean {
  return smtpUrl !== undefined || user !== undefined;
}
