export interface MailServerConfig {
  /** `smtp://` or `smtps://`, with user and password in it or not; options of nodemailer as parameters. */
  readonly smtpUrl?: string | undefined;
  /** What mails are from: an address, or `Name <address>`. */
  readonly from?: string | undefined;
  /** The account, when the URL names none; without a URL its domain names the server. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** True when a mail server is configured, one way or the other. */
export function hasMailServer({ smtpUrl, user }: MailServerConfig): boolean {
  return smtpUrl !== undefined || user !== undefined;
}
