import type { HttpBindings } from '@hono/node-server';

/** The context of a request in Hono. Without a server (in tests) there is no socket. */
export type RestEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: { request_id: string; operation: string };
};
