/**
 * Returns the owner of the secrets of a workflow, which is the owner of the workflow. Other users who may run it can
 * neither read nor replace them.
 */
export function secretOwner(ownerId: string | null | undefined): string {
  return ownerId ?? 'operator';
}
