import type { Context } from 'hono';
import { invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { AdmitRequest } from '../auth/admission.ts';
import { unauthorizedError } from '../auth/authenticate.ts';
import type { LoginLinks } from '../auth/login-links.ts';
import { isPeerOfUser, type TcpEnd } from '../auth/peer-user.ts';
import { checkSameOrigin, type Sessions } from '../auth/sessions.ts';
import { parseBody, readBody } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
import type { RestEnv } from '../http/hono-env.ts';
import { isLocalRequest } from '../http/local-request.ts';
import type { RestOptions, SignedInAs } from '../http/options.ts';
import { type HttpResponse, jsonResponse } from '../http/response.ts';

export type SessionParts = { sessions: Sessions; links: LoginLinks; admit: AdmitRequest };

/** Starts a new session each time: an attacker could have set a known one. */
export async function startSession(
  c: Context<RestEnv>,
  options: RestOptions,
  parts: SessionParts,
): Promise<HttpResponse> {
  const request = c.req.raw;
  checkSameOrigin(request, options);
  const body = parseBody(await readBody(request, options.body_max_bytes));
  const { api_key, link } = isObject(body) ? body : {};
  const { owner, read_only } =
    typeof link === 'string'
      ? await redeemLink(c, link, { ...options, ...parts })
      : await checkKey(request, api_key, parts);
  const { cookie, proof } = await parts.sessions.start(request, owner);
  return jsonResponse(200, { proof, read_only }, { 'Set-Cookie': cookie });
}

/** Only for the page that has the proof: another one with the cookie signs nobody out. */
export async function endSession(
  c: Context<RestEnv>,
  { sessions }: Pick<SessionParts, 'sessions'>,
): Promise<HttpResponse> {
  const cookie = await sessions.end(c.req.raw);
  if (cookie === null) throw unauthorizedError('No session has this cookie and proof.');
  return { status: 204, headers: { 'Set-Cookie': cookie }, body: null };
}

/** The account that signed in. */
type SignedIn = { owner: SignedInAs; read_only: boolean };

async function checkKey(
  request: Request,
  api_key: unknown,
  { admit }: Pick<SessionParts, 'admit'>,
): Promise<SignedIn> {
  if (typeof api_key !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(api_key)) {
    throw invalid('api_key', 'must be an API key: visible ASCII letters, without spaces');
  }
  const { key } = await admit(new Request(request.url, { headers: { 'X-API-Key': api_key } }));
  return { owner: { key_id: key.key_id }, read_only: key.caller.read_only };
}

/** The refusal does not say what is wrong with a link. */
async function redeemLink(
  c: Context<RestEnv>,
  link: string,
  { links, login }: Pick<SessionParts, 'links'> & Pick<RestOptions, 'login'>,
): Promise<SignedIn> {
  checkLocal(c);
  const rights = await links.redeem(link);
  const { uid = null } = rights ?? {};
  const isTheirs = uid === null || (await isPeerOfUser(uid, endsOf(c)));
  if (rights === null || !isTheirs) {
    throw new HttpError(401, 'The link was used, is older than a minute, or is not yours.');
  }
  const { read_only, org_id, project_id, bound_to } = rights;
  const account_id = await login.ownerId();
  return { owner: { link: { account_id, read_only, org_id, project_id, bound_to } }, read_only };
}

/** For `mneme ui`. A web page has an Origin, and without the secret nobody can use the offer. */
export async function offerLink(
  c: Context<RestEnv>,
  { body_max_bytes }: RestOptions,
  { links }: SessionParts,
): Promise<HttpResponse> {
  checkLocal(c);
  if (c.req.header('Origin') !== undefined) throw new HttpError(403, 'not for web pages');
  const body = parseBody(await readBody(c.req.raw, body_max_bytes));
  const nonce = isObject(body) ? body.nonce : undefined;
  if (typeof nonce !== 'string' || !/^[\w-]{43}$/.test(nonce)) {
    throw invalid('nonce', 'must be 32 random bytes in base64url: 43 characters');
  }
  const { address, port } = endsOf(c).own;
  return jsonResponse(200, await links.offer({ nonce, address, port }));
}

function checkLocal(c: Context<RestEnv>): void {
  if (!isLocalRequest(c)) throw new HttpError(403, 'links are for the machine of the server only');
}

function endsOf({ env }: Context<RestEnv>): { peer: TcpEnd; own: TcpEnd } {
  const socket = env?.incoming?.socket;
  return {
    peer: { address: socket?.remoteAddress ?? '', port: socket?.remotePort ?? 0 },
    own: { address: socket?.localAddress ?? '', port: socket?.localPort ?? 0 },
  };
}
