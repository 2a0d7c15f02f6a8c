/** A mail in both forms; the text says all the HTML does. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends one mail. Rejects when the server refused it or is unavailable. */
export type SendMail = (mail: Mail) => Promise<void>;
