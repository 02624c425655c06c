import { randomBytes } from 'node:crypto';
import type { ClientCapabilities, InitializeRequest } from '@modelcontextprotocol/server';
import { signRequest, verifyToken } from '../tools/signed-token.ts';

/** What a client of the older era said once, at `initialize`. */
export type McpSession = {
  id: string;
  protocol_version: string;
  /** What the server may ask of it. */
  capabilities: ClientCapabilities;
};

export type McpSessions = {
  /** The id of a new session, good for the key that asked for it. */
  open(handshake: InitializeRequest['params'], key_id: string): Promise<string>;
  /** Null for an id that is none, has expired, or was made for another key. */
  find(id: string, key_id: string): Promise<McpSession | null>;
};

/** Of no use to who finds one: each request carries a key too. So it may live long. */
const sessionLifetimeMs = 30 * 24 * 3_600_000;

/** Of JSON; a header has little room, and clients say much that no server asks for. */
const capabilitiesMaxChars = 1_000;

const nonceBytes = 12;

/**
 * Sessions that nobody keeps: all that a server needs to know of one is in its id, signed with the
 * secret that replicas share. So a session outlives the process and works on every replica, and
 * any number of them costs nothing.
 */
export function createSessions({
  secret,
  now,
}: {
  secret: () => Promise<string>;
  now: () => number;
}): McpSessions {
  const confirmation = async (said: string, key_id: string) => ({
    secret: await secret(),
    request: { session: said, key_id },
    now: now(),
  });

  return {
    open: async (handshake, key_id) => {
      const said = encodePayload(handshake);
      return `${said}.${signRequest(await confirmation(said, key_id), sessionLifetimeMs)}`;
    },
    find: async (id, key_id) => {
      const [said = '', ...token] = id.split('.');
      if (!verifyToken(token.join('.'), await confirmation(said, key_id))) return null;
      return { id, ...decodePayload(said) };
    },
  };
}

type SessionPayload = [nonce: string, protocol_version: string, capabilities: ClientCapabilities];

function encodePayload({ protocolVersion, capabilities }: InitializeRequest['params']): string {
  const { elicitation, sampling, roots } = capabilities;
  const asked = { elicitation, sampling, roots };
  const fits = JSON.stringify(asked).length <= capabilitiesMaxChars;
  const nonce = randomBytes(nonceBytes).toString('base64url');
  const said: SessionPayload = [nonce, protocolVersion.slice(0, 20), fits ? asked : {}];
  return Buffer.from(JSON.stringify(said)).toString('base64url');
}

function decodePayload(said: string): Omit<McpSession, 'id'> {
  // Signed, so `encode` has written it.
  const [, protocol_version, capabilities]: SessionPayload = JSON.parse(
    Buffer.from(said, 'base64url').toString(),
  );
  return { protocol_version, capabilities };
}
