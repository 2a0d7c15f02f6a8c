/** Secrets belong to the owner of the workflow that names them: other users who may run it can neither read nor replace them. */
export function secretOwner(ownerId: string | null | undefined): string {
  return ownerId ?? 'operator';
}
