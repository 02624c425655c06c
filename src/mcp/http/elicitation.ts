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

/** What clients of the older era are being asked, in the answer to a call of theirs. */
export type Elicitations = {
  /** False when so many wait for an answer already that nobody else can be asked. */
  hasCapacity(): boolean;
  /** Lets what serves a call ask the client of this session. */
  attach(transport: PerRequestHTTPServerTransport, session: McpSession): void;
  /** Hands a client's reply to whoever asked; false when nobody of its session did. */
  resolve(message: ClientReply, session: McpSession | null): boolean;
  /** Answers all questions with an error, so that the calls they belong to come to an end. */
  rejectAll(reason: string): void;
};

/** People take minutes over a form, and each one holds a connection open. */
const pendingMax = 1_000;

type PendingElicitation = { session_id: string; reply(message: ClientReply): void };

/**
 * A question goes out in the answer to one request, and the reply to it comes as another request.
 * What serves a request knows nothing of others, so questions get ids that are used nowhere else.
 */
export function createElicitations(): Elicitations {
  const open = new Map<string, PendingElicitation>();

  return {
    hasCapacity: () => open.size < pendingMax,
    attach: (transport, session) => {
      const exchange = randomUUID();
      const asked = new Set<string>();
      const send = transport.send.bind(transport);
      transport.send = (message, options) => {
        if (!isJSONRPCRequest(message))
          return send(withClientRequestId(message, exchange), options);
        const id = `${exchange}:${message.id}`;
        const reply = (answer: ClientReply) => transport.onmessage?.({ ...answer, id: message.id });
        open.set(id, { session_id: session.id, reply });
        asked.add(id);
        return send({ ...message, id }, options);
      };
      const { onclose } = transport;
      transport.onclose = () => {
        for (const id of asked) open.delete(id);
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

/** A question that is taken back is named by the id that its client knows. */
function withClientRequestId(message: JSONRPCMessage, exchange: string): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return message;
  const requestId = `${exchange}:${String(message.params?.requestId)}`;
  return { ...message, params: { ...message.params, requestId } };
}
