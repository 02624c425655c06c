import { signal } from '@preact/signals';
import { ApiError, createClient } from '../../client.ts';
import { isObject } from '../../contract/is-object.ts';
import { readStored, writeStored } from './stored.ts';

/**
 * What this page knows of its session: the proof that it belongs to the cookie, which the page
 * cannot read. Storage is of one origin, port included; cookies are not.
 */
const proof = signal(readStored('proof'));

/** The project that is shown, and what its user may do; null before signing in. */
export type SignedInUser = { email: string; project: string; mayWrite: boolean };
export const viewer = signal<SignedInUser | null>(null);

/** Why the sign-in form is shown; null before it is known whether there is a session. */
export const signedOut = signal<string | null>(proof.value === null ? '' : null);

/** Every screen calls the operations of the REST service, as any other program would. */
export const client = createClient({
  base_url: location.origin,
  api_key: 'session',
  tries_max: 2,
  fetch: fetchInSession,
});

/** @throws {ApiError} invalid or unauthorized, when the server refuses the key */
export async function signIn(api_key: string): Promise<void> {
  const response = await fetch('/dashboard/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key }),
  });
  const body: unknown = await response.json().catch(() => null);
  if (!isObject(body) || !response.ok) throw refusalOf(response.status, body);
  keepProof(String(body.proof), body.read_only === true);
  await loadAccount();
}

export async function signOut(): Promise<void> {
  await fetch('/dashboard/session', { method: 'DELETE', headers: proofHeaders() });
  endSession('You are signed out.');
}

export async function loadAccount(): Promise<void> {
  const { org_id, project_id, user_email } = await client.ping();
  const project = await client.getProject({ org_id, project_id });
  const mayWrite = readStored('read_only') !== 'true' && project.user_role === 'OWNER';
  viewer.value = { email: user_email, project: String(project.name), mayWrite };
  signedOut.value = null;
}

function endSession(reason: string): void {
  keepProof(null, false);
  viewer.value = null;
  signedOut.value = reason;
}

function keepProof(value: string | null, read_only: boolean): void {
  proof.value = value;
  writeStored('proof', value);
  writeStored('read_only', value === null ? null : String(read_only));
}

/** The cookie is the credential, so that no script can read one. */
async function fetchInSession(url: string | URL | Request, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  headers.delete('Authorization');
  for (const [name, value] of Object.entries(proofHeaders())) headers.set(name, value);
  const response = await fetch(url, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) endSession('The session is over. Sign in again.');
  return response;
}

function proofHeaders(): Record<string, string> {
  return proof.value === null ? {} : { 'X-Mneme-Session': proof.value };
}

function refusalOf(status: number, body: unknown): ApiError {
  const message = isObject(body) && typeof body.message === 'string' ? body.message : '';
  if (status === 401) return new ApiError('unauthorized', 'The server does not know this key.');
  return new ApiError('invalid', message || `The server answered ${status}.`);
}
