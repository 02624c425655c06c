import type { HttpBindings } from '@hono/node-server';

/** The context of a request in Hono. Without a server, as in tests, it has no socket. */
export type RestEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: { request_id: string; operation: string };
};
