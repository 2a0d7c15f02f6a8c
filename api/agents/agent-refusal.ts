/** Why nothing was done, for whoever asked. `not_found` also where he may not know that there is something. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
  readonly code: 'not_found' | 'forbidden' | 'invalid_value' | 'precondition_failed';
  /** The parameter or place in the body that is wrong; undefined: the request as a whole. */
  readonly field: string | undefined;

  constructor(code: AgentRefusal['code'], message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}
