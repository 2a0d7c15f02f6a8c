/** The mail server will not take this mail, however often it is tried. `code` is the server's, 500 to 599. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The mail server did not accept the mail this time. The message of the server is left out, because it can contain addresses. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}

/** The settings do not say where mails go. Thrown at start-up, with a text for the operator. */
export class MailMisconfigured extends Error {
  override readonly name = 'MailMisconfigured';
}
