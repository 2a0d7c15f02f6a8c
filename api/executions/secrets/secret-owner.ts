/** Secrets belong to the owner of the workflow that names them: whoever may run it does not get to see them, and can't put others in their place. */
export function secretOwner(ownerId: string | null | undefined): string {
  return ownerId ?? 'operator';
}
