/** Errors of JSON-RPC that stand for a refusal of HTTP. */
const codeByStatus: Readonly<Record<number, number>> = { 400: -32_600, 404: -32_001, 500: -32_603 };
const defaultCode = -32_000;

type JsonRpcErrorOptions = { headers?: Readonly<Record<string, string>>; code?: number };

/** A refusal as clients of MCP read it: JSON-RPC, of no request in particular. */
export function jsonRpcError(
  status: number,
  message: string,
  { headers = {}, code = codeByStatus[status] ?? defaultCode }: JsonRpcErrorOptions = {},
): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}
