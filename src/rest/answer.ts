/** An answer as it is sent, and as it is kept for a repeated request. */
export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** Null where the status allows no body. */
  body: string | null;
};

/** An answer whose body may be bytes; no repeated request gets one. */
export type Page = Omit<Answer, 'body'> & { body: string | Uint8Array<ArrayBuffer> | null };

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

export function toResponse(
  { status, headers, body }: Page,
  others: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { ...headers, ...others } });
}
