import type { Caller, Invoke } from '../../contract.ts';
import type { Log } from '../../log.ts';

/** Whose request it is. Requests of one `rate_key` share a rate limit. */
export type AuthenticatedKey = {
  caller: Caller;
  key_id: string;
  rate_key: string;
  /** The scope that a token has not; keys have none. */
  missing_scope?: 'read' | 'write';
  /** Whose memories all calls are held to. */
  user_id?: string;
};

/** Tokens of an OAuth issuer, which are taken besides keys. */
export type ProtectedResource = {
  issuer: string;
  /** The address that clients reach, where it is configured; else each request tells. */
  resource: string | null;
  scopes: { read: string; write: string };
  /** Whose key or token it is; null when it is neither. */
  authenticate(token: string): Promise<AuthenticatedKey | null>;
};

/** The first answer to an `Idempotency-Key`; `status` is null while nothing was written. */
export type StoredResponse = {
  id: string;
  request: string;
  status: number | null;
  headers: Record<string, string>;
  body: string;
  created_at: string;
};

/** Where answers to an `Idempotency-Key` are kept. */
export type IdempotencyStore = {
  /** Reserves the id for this request; answers who came before when it is taken. */
  reserve(answer: StoredResponse): Promise<StoredResponse | null>;
  complete(id: string, answer: Pick<StoredResponse, 'status' | 'headers' | 'body'>): Promise<void>;
  /** Forgets an answer that is still as it was; true where it was. */
  release(answer: Pick<StoredResponse, 'id' | 'status' | 'created_at'>): Promise<boolean>;
  /** Runs a request; with the first thing that it writes, `placeholder` is its answer. */
  runIdempotent<T>(
    request: {
      reserved: StoredResponse;
      placeholder: Pick<StoredResponse, 'status' | 'headers' | 'body'>;
    },
    run: () => Promise<T>,
  ): Promise<T>;
};

/** Another protocol at a path of this server: keys, limits, log and metrics are the same. */
export type Mount = {
  path: string;
  /** Whose tokens are taken here, and only here; without it, keys alone are. */
  protection?: ProtectedResource;
  /** What nobody needs a key for to be refused; null lets the request go on. */
  check(request: Request): Response | null;
  /** What a body asks for, in a word of few that there are. */
  nameOf(body: unknown): string;
  /** Whether a body asks for something that writes. */
  changes(body: unknown): boolean;
  handle(
    request: Request,
    who: Pick<AuthenticatedKey, 'caller' | 'key_id' | 'user_id'> & { body: unknown },
  ): Promise<Response>;
  /** A refusal as clients of this protocol read it. */
  refuse(refused: { status: number; message: string; headers: Record<string, string> }): Response;
};

export type EmbeddingFigures = { pending: number; total: number; bytes: number };

/** Numbers that others know, asked for when somebody looks at /metrics. */
export type MetricsSources = {
  /** How many queued units of work wait. */
  queue_depth?: () => Promise<number>;
  /** How far the embedding model is, and the bytes of vectors in memory; null without one. */
  embedding?: () => Promise<EmbeddingFigures | null>;
  /** Also measure this process: memory, event loop, garbage collection. */
  process?: boolean;
};

export type RestConfig = {
  /** Which of the two published shapes answers have; `auto` looks at the request. */
  dialect: 'auto' | 'published' | 'sdk';
  body_max_bytes: number;
  /** Requests a minute for each key; 0 is no limit. */
  rate_limit: number;
  /** Web pages of these origins may call; `*` is any, an empty list none. */
  cors_origins: readonly string[];
  /** Believe `X-Forwarded-*`; only behind a proxy that sets them. */
  trust_proxy: boolean;
  /** Show /metrics to other machines too. */
  metrics_public: boolean;
  request_log: boolean;
};

export type RestOptions = RestConfig & {
  invoke: Invoke;
  /** Whose key this is; null when it is unknown, revoked or expired. */
  authenticate(token: string): Promise<AuthenticatedKey | null>;
  answers: IdempotencyStore;
  /** Whether the store answers, and from the file that is in its place. */
  ready(): Promise<'ready' | 'away' | 'replaced'>;
  /** Other protocols, at paths of their own. */
  mounts?: readonly Mount[];
  /** False while the server shuts down. */
  accepting?: () => boolean;
  /** True from when it is told to: load balancers shall look for another one meanwhile. */
  draining?: () => boolean;
  metrics: MetricsSources;
  version: string;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
};
