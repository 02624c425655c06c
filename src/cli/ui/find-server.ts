import { type RequestOptions, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { isOfferOf, type LinkOffer } from '../../rest/auth/login-links.ts';
import type { TcpEnd } from '../../rest/auth/peer-user.ts';
import { randomToken } from '../../rest/auth/random-token.ts';

/** A server on this machine answers at once, unless the machine is very busy. */
const answerTimeoutMs = 5000;

/** How long a server may be starting: its tables may need an update first. */
const startTimeoutMs = 60_000;
const startPollMs = 200;

/** An offer is small; another program may send anything. */
const answerMaxChars = 10_000;

/** What listens at an address: nothing, another program or store, or a server of this store. */
export type FoundServer =
  | { kind: 'none' | 'other' }
  | { kind: 'server'; url: string; offer: LinkOffer };

/** Looks for a server of this store, and waits while it starts. */
export async function findServer(
  at: { host: string; port: number },
  secret: string,
): Promise<FoundServer> {
  const since = performance.now();
  for (;;) {
    const nonce = randomToken();
    const answer = await ask({ ...at, nonce });
    if (answer === null) return { kind: 'none' };
    if (answer.status !== 503) return readAnswer(answer, { secret, nonce });
    if (performance.now() - since > startTimeoutMs) {
      throw new ApiError('unavailable', `the server at port ${at.port} does not get ready`);
    }
    await sleep(startPollMs);
  }
}

type OfferAnswer = { status: number; body: string; own: TcpEnd };

function readAnswer(
  { status, body, own }: OfferAnswer,
  { secret, nonce }: { secret: string; nonce: string },
): FoundServer {
  const offer = status === 200 ? toOffer(body) : null;
  if (offer === null || !isOfferOf(offer, secret, { ...own, nonce })) return { kind: 'other' };
  const host = own.address.includes(':') ? `[${own.address}]` : own.address;
  return { kind: 'server', url: `http://${host}:${own.port}`, offer };
}

function toOffer(body: string): LinkOffer | null {
  try {
    const answer: unknown = JSON.parse(body);
    if (!isObject(answer)) return null;
    const { challenge, proof } = answer;
    return typeof challenge === 'string' && typeof proof === 'string' ? { challenge, proof } : null;
  } catch {
    return null; // another program
  }
}

/** Null where nothing listens. No agent, proxy or redirect: only what listens there may answer. */
async function ask({
  host,
  port,
  nonce,
}: {
  host: string;
  port: number;
  nonce: string;
}): Promise<OfferAnswer | null> {
  const options: RequestOptions = {
    host,
    port,
    path: '/dashboard/links',
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    agent: false,
    signal: AbortSignal.timeout(answerTimeoutMs),
  };
  let own: TcpEnd = { address: '', port: 0 };
  return new Promise((resolve) => {
    const clientRequest = request(options, (response) => {
      let body = '';
      const { statusCode: status = 0 } = response;
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
        if (body.length > answerMaxChars) response.destroy();
      });
      response.once('close', () => resolve({ status, body, own }));
    });
    clientRequest.once('socket', (socket) => {
      socket.once('connect', () => {
        own = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
      });
    });
    clientRequest.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNREFUSED' ? null : { status: 0, body: '', own });
    });
    clientRequest.end(JSON.stringify({ nonce }));
  });
}
