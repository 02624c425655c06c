/** An answer as it is sent, and as it is kept for a repeated request. */
export type TextResponse = {
  status: number;
  headers: Record<string, string>;
  /** Null where the status allows no body. */
  body: string | null;
};

/** An answer whose body may be bytes; no repeated request gets one. */
export type HttpResponse = Omit<TextResponse, 'body'> & {
  body: string | Uint8Array<ArrayBuffer> | null;
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
  return new Response(body, { status, headers: { ...headers, ...others } });
}
