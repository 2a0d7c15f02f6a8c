declare module 'snappyjs' {
  /** One bare block. */
  export function compress(bytes: Buffer): Buffer;
  /** @throws when damaged or longer than `maxLength` */
  export function uncompress(bytes: Buffer, maxLength?: number): Buffer;
}
