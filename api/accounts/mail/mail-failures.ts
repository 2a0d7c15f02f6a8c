/** The mail server rejected this mail permanently. `code` is the SMTP code, 500 to 599. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * The mail server did not accept the mail; a retry may succeed. The server's message is omitted, because it can contain
 * addresses.
 */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}

/** The mail settings are incomplete. Thrown at start-up, with a message for the operator. */
export class MailMisconfigured extends Error {
  override readonly name = 'MailMisconfigured';
}
