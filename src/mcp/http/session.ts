import { randomBytes } from 'node:crypto';
import type { ClientCapabilities, InitializeRequest } from '@modelcontextprotocol/server';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { signRequest, verifyToken } from '../tools/signed-token.ts';

/** What a client of the older era sent at `initialize`. */
export type McpSession = {
  id: string;
  protocol_version: string;
  /** What the server may request from the client. */
  capabilities: ClientCapabilities;
};

export type McpSessions = {
  /** The id of a new session, valid for the key that opened it. */
  open(handshake: InitializeRequest['params'], key_id: string): Promise<string>;
  /** Null for an id that is not valid, has expired, or belongs to another key. */
  find(id: string, key_id: string): Promise<McpSession | null>;
};

/** May be long, because a stolen session id is useless without the key. */
const sessionLifetimeMs = 30 * 24 * 3_600_000;

/** Length of the JSON: headers have little room, and clients declare more than a server needs. */
const capabilitiesMaxChars = 1_000;

const nonceBytes = 12;

/**
 * Stateless sessions: the id holds all that a server needs to know, signed with the secret that
 * replicas share. So a session survives restarts, works on every replica and costs no memory.
 */
export function createSessions({
  secret,
  now,
}: {
  secret: () => Promise<string>;
  now: () => number;
}): McpSessions {
  const confirmation = async (payload: string, key_id: string) => ({
    secret: await secret(),
    request: { session: payload, key_id },
    now: now(),
  });

  return {
    open: async (handshake, key_id) => {
      const payload = encodePayload(handshake);
      return `${payload}.${signRequest(await confirmation(payload, key_id), sessionLifetimeMs)}`;
    },
    find: async (id, key_id) => {
      const [payload = '', ...token] = id.split('.');
      if (!verifyToken(token.join('.'), await confirmation(payload, key_id))) return null;
      return { id, ...decodePayload(payload) };
    },
  };
}

type SessionPayload = [nonce: string, protocol_version: string, capabilities: ClientCapabilities];

function encodePayload({ protocolVersion, capabilities }: InitializeRequest['params']): string {
  const { elicitation, sampling, roots } = capabilities;
  const features = { elicitation, sampling, roots };
  const fits = JSON.stringify(features).length <= capabilitiesMaxChars;
  const nonce = randomBytes(nonceBytes).toString('base64url');
  const payload: SessionPayload = [nonce, protocolVersion.slice(0, 20), fits ? features : {}];
  return Buffer.from(JSON.stringify(payload)).toString('base64url');
}

function decodePayload(payload: string): StrictOmit<McpSession, 'id'> {
  // The signature guarantees that `encodePayload` wrote it.
  const [, protocol_version, capabilities]: SessionPayload = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  );
  return { protocol_version, capabilities };
}
