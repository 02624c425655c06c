import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const audience = 'https://mneme.example/mcp';

/** Claims of a token that may do everything; tests change what they are about. */
export const goodClaims = { sub: 'ada-1', email: 'ada@a.example', scope: 'mneme:write' };

type Key = { kid: string; privateKey: CryptoKey; jwk: JWK };
type Signed = {
  key?: Key;
  issuer?: string;
  audience?: string | string[];
  /** In seconds from now. */
  expiresIn?: number;
};
type IssuerAnswer = { status?: number; body: unknown };

/** A small authorization server: discovery, keys, and the flow in which clients get tokens. */
export type Issuer = {
  url: string;
  /** A token; null omits a claim. */
  sign(claims?: Record<string, unknown>, signed?: Signed): Promise<string>;
  key(): Key;
  /** Signs with another key from now on, and publishes only that one. */
  rotate(): Promise<void>;
  /** Sets the response of a path; null restores the usual one. */
  answer(path: string, answer: IssuerAnswer | null): void;
  /** Requested paths, in order. */
  asked: string[];
  /** Claims that the flow adds to tokens, in addition to audience and scope. */
  user: Record<string, unknown>;
  close(): Promise<void>;
};

type Code = { challenge: string; resource: string; scope: string };

export async function startIssuer(): Promise<Issuer> {
  let key = await createKey();
  const asked: string[] = [];
  const answers = new Map<string, IssuerAnswer>();
  const codes = new Map<string, Code>();
  const user = { sub: goodClaims.sub, email: goodClaims.email };

  const sign: Issuer['sign'] = async (claims = {}, signed = {}) => {
    const { expiresIn = 60 } = signed;
    const by = signed.key ?? key;
    const all = Object.entries({ ...goodClaims, ...claims }).filter(([, value]) => value !== null);
    return new SignJWT(Object.fromEntries(all))
      .setProtectedHeader({ alg: 'ES256', kid: by.kid })
      .setIssuer(signed.issuer ?? url)
      .setAudience(signed.audience ?? audience)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
      .sign(by.privateKey);
  };

  const pages: Record<
    string,
    (request: IncomingMessage, at: URL) => Promise<IssuerAnswer> | IssuerAnswer
  > = {
    '/.well-known/openid-configuration': () => ({ body: discovery(url) }),
    '/.well-known/oauth-authorization-server': () => ({ body: discovery(url) }),
    '/keys': () => ({ body: { keys: [key.jwk] } }),
    '/register': async (request) => {
      const client = JSON.parse(await text(request));
      return { status: 201, body: { ...client, client_id: randomUUID() } };
    },
    '/authorize': (_request, { searchParams }) => {
      const code = randomUUID();
      codes.set(code, {
        challenge: searchParams.get('code_challenge') ?? '',
        resource: searchParams.get('resource') ?? '',
        scope: searchParams.get('scope') ?? '',
      });
      return { body: { code } };
    },
    '/token': async (request) => {
      const sent = new URLSearchParams(await text(request));
      const code = codes.get(sent.get('code') ?? '');
      if (code === undefined || code.challenge !== challengeOf(sent.get('code_verifier') ?? '')) {
        return { status: 400, body: { error: 'invalid_grant' } };
      }
      const { resource, scope } = code;
      const access_token = await sign({ ...user, scope }, { audience: resource });
      return { body: { access_token, token_type: 'Bearer', expires_in: 60, scope } };
    },
  };

  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', url);
    asked.push(at.pathname);
    const page = pages[at.pathname] ?? (() => ({ status: 404, body: {} }));
    const given = answers.get(at.pathname) ?? page(request, at);
    void Promise.resolve(given).then((answer) => send(response, answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    sign,
    asked,
    user,
    key: () => key,
    rotate: async () => {
      key = await createKey();
    },
    answer: (path, answer) => {
      if (answer === null) answers.delete(path);
      else answers.set(path, answer);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function createKey(): Promise<Key> {
  const kid = randomUUID();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}

function discovery(issuer: string) {
  return {
    issuer,
    jwks_uri: `${issuer}/keys`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function send(response: ServerResponse, { status = 200, body }: IssuerAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
