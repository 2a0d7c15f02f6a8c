/** A file of the service, streamed. Read it once with `stream`, `bytes` or `text`, or call `cancel`. */
export interface Download {
  readonly contentType: string;
  /** Size in bytes, if the service reports it. */
  readonly size: number | undefined;
  /** File name from the service, without folders. */
  readonly filename: string | undefined;
  /** The content in chunks. Rejects with a ServiceError if the transfer ends early. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  text(): Promise<string>;
  /** Cancels the transfer. */
  cancel(): Promise<void>;
}

/** Creates a download from the response headers and the content stream. */
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

/** RFC 6266: `filename*` takes precedence over `filename`. */
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
