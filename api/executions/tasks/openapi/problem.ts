/** Thrown for a problem of a document, or of the parameters of a call. */
export class OpenApiProblem extends Error {
  readonly kind: 'configuration' | 'validation';
  constructor(kind: 'configuration' | 'validation', message: string) {
    super(message);
    this.kind = kind;
  }
}
