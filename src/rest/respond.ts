import type { Context, Handler } from 'hono';
import { type Page, toResponse } from './answer.ts';
import type { RestEnv } from './env.ts';
import { failureOf } from './failure.ts';
import type { Observe } from './observe.ts';
import type { RestOptions } from './options.ts';
import type { Together } from './together.ts';

/** Answers a request; what it throws becomes a refusal. */
export type Answering = (c: Context<RestEnv>) => Promise<Page> | Page;

type Parts = { observe: Observe; together: Together };

/**
 * The one place that makes responses, each with all its headers from the start: to add one to a
 * response that is there, as a middleware would, costs as much as all of Hono.
 */
export function createRespond({ observe, together, log }: Parts & Pick<RestOptions, 'log'>) {
  return (answering: Answering): Handler<RestEnv> =>
    async (c) => {
      const { request_id, headers, end } = observe(c);
      await together();
      let page: Page;
      try {
        page = await answering(c);
      } catch (error) {
        page = failureOf(error, { request_id, log });
      }
      end(page.status);
      return toResponse(page, headers);
    };
}

/** For responses that are made elsewhere, and may stream: adds what every answer carries. */
export function observed(
  { observe, together }: Parts,
  serve: (c: Context<RestEnv>) => Promise<Response>,
): Handler<RestEnv> {
  return async (c) => {
    const { headers, end } = observe(c);
    await together();
    const response = await serve(c);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    end(response.status);
    return response;
  };
}
