/** The mail server will not take this mail, however often it is tried. `code` is the server's, 500 to 599. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The mail could not be handed over this time. Messages of servers are left out: they repeat addresses. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}

/** The settings do not say where mails go. Thrown at start-up, with a text for the operator. */
export class MailMisconfigured extends Error {
  override readonly name = 'MailMisconfigured';
}
