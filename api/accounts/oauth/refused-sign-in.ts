/** A sign-in by provider that ended without a session. */
export interface RefusedSignIn {
  readonly kind: 'refused';
  /** `start-over`: this callback is of no use, a new sign-in may be. `not-permitted`: a new one ends the same way. */
  readonly refusal: 'start-over' | 'not-permitted' | 'too-many' | 'busy' | 'provider-unavailable' | 'unavailable';
  readonly retryAfterSeconds?: number;
}
