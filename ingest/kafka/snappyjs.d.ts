declare module 'snappyjs' {
  /** Compresses to one bare block. */
  export function compress(bytes: Buffer): Buffer;
  /** @throws if the data is damaged or longer than `maxLength` */
  export function uncompress(bytes: Buffer, maxLength?: number): Buffer;
}
