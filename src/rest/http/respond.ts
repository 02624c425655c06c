import type { Context, Handler } from 'hono';
import type { CoalesceTick } from './coalesce-tick.ts';
import { errorResponse } from './errors.ts';
import type { RestEnv } from './hono-env.ts';
import type { ObserveRequest } from './observe.ts';
import type { RestOptions } from './options.ts';
import { defaultHeaders, type HttpResponse, toResponse } from './response.ts';

/** Answers a request; errors that it throws become refusals. */
export type ResponseHandler = (c: Context<RestEnv>) => Promise<HttpResponse> | HttpResponse;

type RespondDependencies = { observe: ObserveRequest; together: CoalesceTick };

/**
 * Creates all responses with all their headers at once: adding a header to an existing response,
 * as a middleware would, costs as much as all of Hono.
 */
export function createResponder({
  observe,
  together,
  log,
}: RespondDependencies & Pick<RestOptions, 'log'>) {
  return (answering: ResponseHandler): Handler<RestEnv> =>
    async (c) => {
      const { request_id, headers, end } = observe(c);
      await together();
      let page: HttpResponse;
      try {
        page = await answering(c);
      } catch (error) {
        page = errorResponse(error, { request_id, log });
      }
      end(page.status);
      return toResponse(page, headers);
    };
}

/** Adds the common headers to responses that are created elsewhere, and may stream. */
export function observeResponse(
  { observe, together }: RespondDependencies,
  serve: (c: Context<RestEnv>) => Promise<Response>,
): Handler<RestEnv> {
  return async (c) => {
    const { headers, end } = observe(c);
    await together();
    const response = await serve(c);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    for (const [name, value] of Object.entries(defaultHeaders)) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    end(response.status);
    return response;
  };
}
