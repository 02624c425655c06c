import type { IdempotencyStore } from '../../contract/http-binding.ts';
import type { Caller, CheckAccess, Invoke } from '../../contract.ts';
import type { Log } from '../../log.ts';

/** The owner of a request. Requests with the same `rate_key` share a rate limit. */
export type AuthenticatedKey = {
  caller: Caller;
  key_id: string;
  rate_key: string;
  /** The scope that a token lacks; keys lack none. */
  missing_scope?: 'read' | 'write';
  /** All calls are limited to the memories of this user. */
  user_id?: string;
};

/** Tokens of an OAuth issuer, accepted in addition to keys. */
export type ProtectedResource = {
  issuer: string;
  /** The configured public address; null takes it from each request. */
  resource: string | null;
  scopes: { read: string; write: string };
  /** The owner of a key or token; null when it is not valid. */
  authenticate(token: string): Promise<AuthenticatedKey | null>;
};

/** Another protocol at a path of this server, with the same keys, limits, log and metrics. */
export type Mount = {
  path: string;
  /** The tokens accepted at this path only; without it, only keys are accepted. */
  protection?: ProtectedResource;
  /** Refusals that need no key; null lets the request go on. */
  check(request: Request): Response | null;
  /** A label for what a body requests, from a small fixed set. */
  nameOf(body: unknown): string;
  /** Whether a body requests a write. */
  changes(body: unknown): boolean;
  handle(
    request: Request,
    who: Pick<AuthenticatedKey, 'caller' | 'key_id' | 'user_id'> & { body: unknown },
  ): Promise<Response>;
  /** A refusal in the form that clients of this protocol read. */
  refuse(refused: { status: number; message: string; headers: Record<string, string> }): Response;
};

export type StreamTimes = {
  /** How often a stream looks for what is new. */
  poll_ms: number;
  /** How often it shows that it lives. */
  heartbeat_ms: number;
  /** How often its key is checked again. */
  readmit_ms: number;
  /** How long a reader may take for what was sent. */
  stall_ms: number;
};

export type EmbeddingFigures = { pending: number; total: number; bytes: number };

/** Figures from other parts, read for each request to /metrics. */
export type MetricsSources = {
  /** The number of units of work waiting in the queue. */
  queue_depth?: () => Promise<number>;
  /** Progress of embedding, and the bytes of vectors in memory; null without a model. */
  embedding?: () => Promise<EmbeddingFigures | null>;
  /** Also measure this process: memory, event loop, garbage collection. */
  process?: boolean;
};

/** The rights of a browser session: those of an API key, or of a one-time link. */
export type SignedInAs =
  | { key_id: string }
  | {
      link: Pick<Caller, 'org_id' | 'project_id' | 'bound_to' | 'read_only'> & {
        account_id: string;
      };
    };

/** The sessions of browsers, which outlive the process. They are known by hashes only. */
export type SessionStore = {
  /** Starts a session, and ends the one with the hash `before`. */
  start(
    session: { hash: string; proof_hash: string; owner: SignedInAs; ends_at: string },
    before: string | null,
  ): Promise<void>;
  /** The rights of a session; null if it does not exist, or its key is not valid any more. */
  find(hash: string): Promise<{
    proof_hash: string;
    ends_at: string;
    caller: Caller;
    /** Null for a one-time link. */
    key_id: string | null;
  } | null>;
  end(hash: string): Promise<void>;
};

/** The parts that one-time links of `mneme ui` need. */
export type LoginSource = {
  /** The secret of the store, which only programs know that may read it. */
  secret(): Promise<string>;
  /** The id of the account that owns the store. */
  ownerId(): Promise<string>;
  /** Milliseconds that no change of the clock moves; they may stop while a machine sleeps. */
  elapsed(): number;
};

export type RestConfig = {
  /** The published shape of responses to use; `auto` decides by the request. */
  dialect: 'auto' | 'published' | 'sdk';
  body_max_bytes: number;
  /** Requests a minute for each key; 0 means unlimited. */
  rate_limit: number;
  /** Origins of web pages that are allowed; `*` allows any, an empty list none. */
  cors_origins: readonly string[];
  /** Trust `X-Forwarded-*`; only behind a proxy that sets them. */
  trust_proxy: boolean;
  /** Also show /metrics to other machines. */
  metrics_public: boolean;
  request_log: boolean;
};

export type RestOptions = RestConfig & {
  invoke: Invoke;
  checkAccess: CheckAccess;
  /** The owner of a key; null when it is unknown, revoked or expired. */
  authenticate(token: string): Promise<AuthenticatedKey | null>;
  /** What one-time links need. */
  login: LoginSource;
  sessions: SessionStore;
  answers: IdempotencyStore;
  /** Whether the store works, and its file is still in its place. */
  ready(): Promise<'ready' | 'away' | 'replaced'>;
  /** Changes with every commit, so that streams need not look; without it they look each time. */
  storeVersion?: () => Promise<number>;
  /** How streams keep time; the defaults are documented. */
  streams?: Partial<StreamTimes>;
  /** Other protocols, at paths of their own. */
  mounts?: readonly Mount[];
  /** False while the server shuts down. */
  accepting?: () => boolean;
  /** True from the signal to stop: load balancers should already use another server. */
  draining?: () => boolean;
  metrics: MetricsSources;
  version: string;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
};
