/** A file of the service, while it comes in. Read it by one of `stream`, `bytes`, `text`, once; or call `cancel`. */
export interface Download {
  readonly contentType: string;
  /** Bytes, if the service reports them. */
  readonly size: number | undefined;
  /** As the service calls it, without any folders. */
  readonly filename: string | undefined;
  /** The content piece by piece; rejects with a ServiceError when it does not come to its end. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  text(): Promise<string>;
  /** Ends the transfer. */
  cancel(): Promise<void>;
}

/** A download from the headers of its answer and the stream of its content. */
export function downloadOf(headers: Headers, stream: ReadableStream<Uint8Array<ArrayBuffer>>): Download {
  const length = headers.get('content-length');
  const bytes = async () => new Uint8Array(await new Response(stream).arrayBuffer());
  return {
    contentType: headers.get('content-type') ?? 'application/octet-stream',
    size: length === null ? undefined : Number(length),
    filename: filenameIn(headers.get('content-disposition') ?? ''),
    stream,
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
    cancel: () => stream.cancel(),
  };
}

/** RFC 6266: `filename*` wins over `filename`. */
function filenameIn(disposition: string): string | undefined {
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, '$1');
  const name = decoded(extended) ?? quoted ?? /filename\s*=\s*([^";\s]+)/i.exec(disposition)?.[1];
  return name?.split(/[/\\]/).at(-1) || undefined;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
