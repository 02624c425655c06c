import type { StrictOmit } from '../../contract/strict-omit.ts';

export type TextResponse = {
  status: number;
  headers: Record<string, string>;
  /** Null where the status allows no body. */
  body: string | null;
};

/** A response whose body may be bytes, or a stream of them. */
export type HttpResponse = StrictOmit<TextResponse, 'body'> & {
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
};

/** Default headers: browsers must not guess types, and caches must not keep responses. */
export const defaultHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): TextResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

export function toResponse(
  { status, headers, body }: HttpResponse,
  others: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { ...defaultHeaders, ...headers, ...others } });
}
