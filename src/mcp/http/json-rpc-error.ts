/** JSON-RPC error codes for HTTP statuses. */
const codeByStatus: Readonly<Record<number, number>> = { 400: -32_600, 404: -32_001, 500: -32_603 };
const defaultCode = -32_000;

type JsonRpcErrorOptions = { headers?: Readonly<Record<string, string>>; code?: number };

/** A refusal in the form that MCP clients read: a JSON-RPC error without a request id. */
export function jsonRpcError(
  status: number,
  message: string,
  { headers = {}, code = codeByStatus[status] ?? defaultCode }: JsonRpcErrorOptions = {},
): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}
