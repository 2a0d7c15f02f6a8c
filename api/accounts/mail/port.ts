/** A mail in both forms; the text says all the HTML does. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Header Message-ID. Default: a random one. */
  readonly messageId?: string;
  /** Header References: the thread that the mail belongs to. */
  readonly references?: string;
}

/** Sends one mail. Rejects when the server refused it or is unavailable. */
export type SendMail = (mail: Mail) => Promise<void>;
