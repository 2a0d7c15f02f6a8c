/** A provider sign-in that ended without a session. */
export interface RefusedSignIn {
  readonly kind: 'refused';
  /**
   * `start-over`: this callback is invalid, but a new sign-in may succeed. `not-permitted`: a new sign-in would fail
   * the same way.
   */
  readonly refusal: 'start-over' | 'not-permitted' | 'too-many' | 'busy' | 'provider-unavailable' | 'unavailable';
  readonly retryAfterSeconds?: number;
}
