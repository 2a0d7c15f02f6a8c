/** The caller of a query: administrators see everything; users see what they own and what is shared. */
export interface Viewer {
  /** Undefined: the operator. */
  readonly userId: string | undefined;
  readonly administrator: boolean;
}

/** Whether the viewer may change what belongs to this owner; null: the operator. */
export function mayChange(
  { userId, administrator }: Viewer,
  { ownerId }: { readonly ownerId: string | null },
): boolean {
  return administrator || (userId !== undefined && ownerId === userId);
}
