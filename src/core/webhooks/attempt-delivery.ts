import { ApiError } from '../../contract/errors.ts';
import type { Deps, StoredDelivery, StoredWebhook } from '../ports/index.ts';
import { signatureHeaders } from './signature.ts';

/** The outcome of one attempt; `error` is null if the delivery arrived. */
export type AttemptResult = { response_status: number | null; error: string | null };

/** Posts a delivery once, signed with the webhook's secret. Any 2xx means that it arrived. */
export async function attemptDelivery(
  { clock, sender }: Pick<Deps, 'clock' | 'sender'>,
  { url, secret }: Pick<StoredWebhook, 'url' | 'secret'>,
  { id, body, signal }: Pick<StoredDelivery, 'id' | 'body'> & { signal?: AbortSignal },
): Promise<AttemptResult> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'mneme-webhooks',
    ...signatureHeaders(secret, { id, body, now: clock.now() }),
  };
  try {
    const { status } = await sender.post({ url, headers, body, ...(signal && { signal }) });
    return { response_status: status, error: statusProblem(status) };
  } catch (error) {
    // The webhook's owner reads this log, so only the sender's own messages are suitable.
    const reason = error instanceof ApiError ? error.message : 'the request failed';
    return { response_status: null, error: reason };
  }
}

function statusProblem(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const isRedirect = status >= 300 && status < 400;
  return `answered ${status}${isRedirect ? '; redirects are not followed' : ''}`;
}
