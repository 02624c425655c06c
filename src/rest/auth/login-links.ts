import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../contract.ts';
import type { RestOptions } from '../http/options.ts';
import type { TcpEnd } from './peer-user.ts';
import { hashOfToken, randomToken } from './random-token.ts';

/** Long enough for a browser to start, short enough that a link left somewhere is worth nothing. */
const linkTtlMs = 60_000;

/** Maximum number of links that wait for their browser; the oldest ends first. */
const challengesMax = 100;

/** What the session of a link may do. */
export type LinkRights = {
  read_only: boolean;
  /** The default for calls that name none. */
  org_id: string | null;
  project_id: string | null;
  /** Which of these ids is a limit. */
  bound_to: Caller['bound_to'];
  /** The user of the operating system who may use the link; null where the link is not shown. */
  uid: number | null;
};

/** A server's answer to `mneme ui`. */
export type LinkOffer = {
  /** 256 random bits, good for one link. */
  challenge: string;
  /** Shows that the server knows the secret of the store. */
  proof: string;
};

/** 256 random bits of a program, and the server's end of its connection: nobody can pass it on. */
export type OfferRequest = TcpEnd & { nonce: string };

/** The links of this process. */
export type LoginLinks = ReturnType<typeof createLoginLinks>;

/**
 * The server's part of one-time links. A link is a challenge of this process, signed with the
 * secret that only programs have which may read the store: nothing of it is stored, and none
 * outlives the process. Challenges are kept by their hash, and removed at their first use.
 */
export function createLoginLinks({
  login: { secret, elapsed },
  now,
}: Pick<RestOptions, 'login' | 'now'>) {
  const challenges = new Map<string, { now: number; elapsed: number }>();

  return {
    offer: async (request: OfferRequest): Promise<LinkOffer> => {
      const challenge = randomToken();
      const proof = signOffer(await secret(), { ...request, challenge });
      if (challenges.size >= challengesMax) {
        challenges.delete(challenges.keys().next().value ?? '');
      }
      challenges.set(hashOfToken(challenge), { now: now(), elapsed: elapsed() });
      return { challenge, proof };
    },

    /** What a link allows; null unless it was signed for this process, is new and unused. */
    redeem: async (link: string): Promise<LinkRights | null> => {
      const [payload = '', signature = ''] = link.split('.');
      if (!isEqual(signature, signLink(await secret(), payload))) return null;
      const { challenge, ...rights } = decodePayload(payload);
      const times = challenges.get(hashOfToken(challenge));
      challenges.delete(hashOfToken(challenge));
      if (times === undefined) return null;
      // Whichever clock ran: one can be set, and the other sleeps with the machine.
      const age = Math.max(now() - times.now, elapsed() - times.elapsed);
      return age < linkTtlMs ? rights : null;
    },
  };
}

/** Whether the server that made an offer knows the secret of the store, and was asked for it. */
export function isOfferOf(offer: LinkOffer, secret: string, request: OfferRequest): boolean {
  return isEqual(offer.proof, signOffer(secret, { ...request, challenge: offer.challenge }));
}

/** The text of a link, good for one session on the server that made the offer. */
export function createLink(
  { challenge }: Pick<LinkOffer, 'challenge'>,
  secret: string,
  rights: LinkRights,
): string {
  const payload = Buffer.from(JSON.stringify({ challenge, ...rights })).toString('base64url');
  return `${payload}.${signLink(secret, payload)}`;
}

/** Only for a payload whose signature says that `createLink` wrote it. */
function decodePayload(payload: string): LinkRights & Pick<LinkOffer, 'challenge'> {
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

function signOffer(
  secret: string,
  { nonce, address, port, challenge }: OfferRequest & Pick<LinkOffer, 'challenge'>,
): string {
  return signatureOf(secret, ['offer', nonce, address, String(port), challenge]);
}

function signLink(secret: string, payload: string): string {
  return signatureOf(secret, ['link', payload]);
}

/** With a key of its own: other signatures are made with the same secret. */
function signatureOf(secret: string, content: readonly string[]): string {
  const key = hkdfSync('sha256', secret, '', 'mneme ui', 32);
  return createHmac('sha256', Buffer.from(key)).update(JSON.stringify(content)).digest('base64url');
}

/** Compares texts of one length in constant time. */
function isEqual(text: string, other: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
