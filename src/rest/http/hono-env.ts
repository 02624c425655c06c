import type { HttpBindings } from '@hono/node-server';

/** What Hono carries along with a request. Without a server (in tests) there is no socket. */
export type RestEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: { request_id: string; operation: string };
};
