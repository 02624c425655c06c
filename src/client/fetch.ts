/**
 * The part of the standard `fetch` that is used here: a browser's, Node's and undici's fit. It has
 * to reject with an error when the connection fails; a `code` of the operating system, on it or on
 * one of its causes, tells failures apart.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export type FetchInit = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect: 'manual';
};

export type FetchResponse = {
  status: number;
  headers: { get(name: string): string | null };
  body: { getReader(): BodyReader } | null;
};

type BodyReader = {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
};

/** The text of a body; null when it is longer than that, and then the rest is not read. */
export async function readBodyText(
  { body }: Pick<FetchResponse, 'body'>,
  maxBytes: number,
): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value?.length ?? 0;
    if (bytes > maxBytes) {
      await reader.cancel().catch(() => {}); // it is of no more use either way
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
