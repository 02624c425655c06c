import { signal } from '@preact/signals';
import { parseRetryAfter } from '../../client/retry.ts';
import { ApiError, createClient } from '../../client.ts';
import { isObject } from '../../contract/is-object.ts';
import { fetchNoting, reconnects } from './connection.ts';
import { messageOf } from './message-of.ts';
import { loginLink } from './place.ts';
import { readStored, writeStored } from './stored.ts';

/**
 * What this page knows of its session: the proof that it belongs to the cookie, which the page
 * cannot read. Storage is of one origin, port included; cookies are not.
 */
const proof = signal(readStored('proof'));

/** The project that is shown, and what its user may do; null before signing in. */
export type Viewer = {
  email: string;
  org_id: string;
  project_id: string;
  project: string;
  /** Whether anything in the project may be changed. */
  mayWrite: boolean;
  /** Whether it is the project's owner, who may read the audit log, also with a key that reads. */
  isOwner: boolean;
  /** Whether the key may write at all, and so make keys and organizations. */
  keyWrites: boolean;
  /** Whether the key has the whole store: its configuration, models, backups and all keys. */
  hasStore: boolean;
  /** The time zone of the service: all days and times are shown in it. */
  timezone: string;
};
export const viewer = signal<Viewer | null>(null);

/**
 * Why the sign-in form is shown; null while there is a session, or it is not known yet. While there
 * is a `viewer`, the form covers the view: what was typed there is still there afterwards.
 */
export const signedOut = signal<string | null>(
  proof.value === null && loginLink === null ? '' : null,
);

/** Whether the account has accepted no place yet, and so has nothing to show but invitations. */
export const hasNoPlace = signal(false);

/** Every screen calls the operations of the REST service, as any other program would. */
export const client = createClient({
  base_url: location.origin,
  api_key: 'session',
  // The project that was opened last comes first; otherwise the project of the key.
  project_id: readStored('project') ?? undefined,
  tries_max: 2,
  fetch: fetchInSession,
});

/** @throws {ApiError} invalid or unauthorized, when the server refuses the key */
export async function signIn(api_key: string): Promise<void> {
  await startSession({ api_key });
  await resumeSession();
}

/** Goes on where the last session ended; for another person the page loads again. */
async function resumeSession(): Promise<void> {
  const earlierViewer = viewer.value;
  await loadAccount();
  const now = viewer.value;
  if (earlierViewer === null || now === null) return;
  const isSame = earlierViewer.email === now.email && earlierViewer.project_id === now.project_id;
  if (isSame && earlierViewer.mayWrite === now.mayWrite) reconnects.value += 1;
  else location.reload();
}

// Signing in or out in another tab of this browser counts for this tab too.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== 'mneme.proof') return;
  proof.value = newValue;
  // If that fails, the form stays.
  if (newValue !== null && signedOut.value !== null) void resumeSession().catch(() => {});
});

/** Opens the page: with the link that led here, otherwise with the session of this browser. */
export async function openAccount(): Promise<void> {
  if (loginLink !== null) {
    await startSession({ link: loginLink }).catch((error: unknown) => {
      // An earlier session may still be valid.
      if (proof.value !== null) return;
      signedOut.value = `${messageOf(error)} Run mneme ui again, or sign in with a key.`;
    });
  }
  if (proof.value !== null) await loadAccount();
}

type Credential = { api_key: string } | { link: string };

async function startSession(credential: Credential): Promise<void> {
  const response = await fetch('/dashboard/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credential),
  });
  const body: unknown = await response.json().catch(() => null);
  if (!isObject(body) || !response.ok) throw refusalOf(response.status, body, credential);
  keepProof(String(body.proof));
}

export async function signOut(): Promise<void> {
  await fetch('/dashboard/session', { method: 'DELETE', headers: proofHeaders() });
  writeStored('project', null);
  viewer.value = null;
  hasNoPlace.value = false;
  endSession('You are signed out.');
}

async function loadAccount(): Promise<void> {
  const account = await pingProject();
  hasNoPlace.value = account === null;
  if (account === null) {
    viewer.value = null; // that of somebody else's session
    signedOut.value = null;
    return;
  }
  const { org_id, project_id, user_email, read_only, ...rights } = account;
  const project = await client.getProject({ org_id, project_id });
  const keyWrites = read_only !== true;
  const isOwner = project.user_role === 'OWNER';
  viewer.value = {
    email: user_email,
    org_id,
    project_id,
    project: String(project.name),
    mayWrite: keyWrites && isOwner,
    isOwner,
    keyWrites,
    hasStore: rights.has_store === true,
    timezone: rights.timezone ?? 'UTC',
  };
  signedOut.value = null;
}

/** Reads the account; null without a project. A stored project that it can’t reach is forgotten. */
async function pingProject() {
  try {
    return await client.ping();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isShown = readStored('project') !== null;
    if (isShown && error.code === 'not_found') openProject(null);
    if (!isShown && error.fields?.project_id !== undefined) return null;
    throw error;
  }
}

/** Opens another project, or the one of the key. */
export function openProject(project_id: string | null): void {
  writeStored('project', project_id);
  location.reload();
}

function endSession(reason: string): void {
  keepProof(null);
  signedOut.value = reason;
}

function keepProof(value: string | null): void {
  proof.value = value;
  writeStored('proof', value);
}

/** The cookie is the credential, because scripts cannot read it. */
async function fetchInSession(url: string | URL | Request, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  headers.delete('Authorization');
  for (const [name, value] of Object.entries(proofHeaders())) headers.set(name, value);
  const response = await fetchNoting(url, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) endSession('The session is over. Sign in again.');
  const pause_ms = parseRetryAfter(response.headers.get('Retry-After'), Date.now());
  if (pause_ms !== null) refusedUntil = Date.now() + pause_ms;
  return response;
}

let refusedUntil = 0;

/** How long the server has asked clients to wait, in milliseconds from now. */
export function pauseAskedMs(): number {
  return Math.max(0, refusedUntil - Date.now());
}

/** Sends a request for which the client has no operation, in the open project. */
export function readInSession(path: string, init: RequestInit): Promise<Response> {
  const project = readStored('project');
  const query = project === null ? '' : `?${new URLSearchParams({ project_id: project })}`;
  return fetchInSession(`${path}${query}`, init);
}

function proofHeaders(): Record<string, string> {
  return proof.value === null ? {} : { 'X-Mneme-Session': proof.value };
}

function refusalOf(status: number, body: unknown, credential: Credential): ApiError {
  const message = isObject(body) && typeof body.message === 'string' ? body.message : '';
  if (status === 401 && 'api_key' in credential) {
    return new ApiError('unauthorized', 'The server does not know this key.');
  }
  return new ApiError('invalid', message || `The server answered ${status}.`);
}
