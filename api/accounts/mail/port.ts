/** A mail as text and HTML with the same content. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Header Message-ID. Default: a random one. */
  readonly messageId?: string;
  /** Header References: message ids of the thread that the mail belongs to. */
  readonly references?: string;
}

/** Sends one mail. Rejects if the server rejected it or is unavailable. */
export type SendMail = (mail: Mail) => Promise<void>;
