import { randomUUID } from 'node:crypto';
import {
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCResultResponse,
  type PerRequestHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpSession } from './session.ts';

type ClientReply = JSONRPCResultResponse | JSONRPCErrorResponse;

/** Elicitations of clients of the older era, sent in the response to their call. */
export type Elicitations = {
  /** False when too many elicitations are pending. */
  hasCapacity(): boolean;
  /** Lets the server of a call elicit from the client of this session. */
  attach(transport: PerRequestHTTPServerTransport, session: McpSession): void;
  /** Passes the reply of a client to its elicitation; false when its session has no such one. */
  resolve(message: ClientReply, session: McpSession | null): boolean;
  /** Ends all elicitations with an error, so that their calls end. */
  rejectAll(reason: string): void;
};

/** A form may take minutes, and each one keeps a connection open. */
const pendingMax = 1_000;

type PendingElicitation = { session_id: string; reply(message: ClientReply): void };

/**
 * An elicitation is sent in the response to one request, and its reply arrives as another request.
 * Their servers do not know each other, so elicitations get globally unique ids.
 */
export function createElicitations(): Elicitations {
  const open = new Map<string, PendingElicitation>();

  return {
    hasCapacity: () => open.size < pendingMax,
    attach: (transport, session) => {
      const exchange = randomUUID();
      const pendingIds = new Set<string>();
      const send = transport.send.bind(transport);
      transport.send = (message, options) => {
        if (!isJSONRPCRequest(message))
          return send(withClientRequestId(message, exchange), options);
        const id = `${exchange}:${message.id}`;
        const reply = (answer: ClientReply) => transport.onmessage?.({ ...answer, id: message.id });
        open.set(id, { session_id: session.id, reply });
        pendingIds.add(id);
        return send({ ...message, id }, options);
      };
      const { onclose } = transport;
      transport.onclose = () => {
        for (const id of pendingIds) open.delete(id);
        onclose?.();
      };
    },
    resolve: (message, session) => {
      const id = String(message.id);
      const question = open.get(id);
      if (question === undefined || question.session_id !== session?.id) return false;
      open.delete(id);
      question.reply(message);
      return true;
    },
    rejectAll: (reason) => {
      const error = { code: -32_000, message: reason };
      for (const [id, { reply }] of open) reply({ jsonrpc: '2.0', id, error });
      open.clear();
    },
  };
}

/** A cancellation must name the id that the client knows. */
function withClientRequestId(message: JSONRPCMessage, exchange: string): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return message;
  const requestId = `${exchange}:${String(message.params?.requestId)}`;
  return { ...message, params: { ...message.params, requestId } };
}
