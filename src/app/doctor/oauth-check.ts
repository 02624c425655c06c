import * as z from 'zod';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { openHttpPool } from '../http-pool.ts';
import { readIssuerKeys } from '../oauth/issuer-keys.ts';
import { issuerTimeoutMs, readTokenSettings } from '../oauth/token-verifier.ts';
import { type Check, failed, ok } from './check.ts';

/** Reads the configured issuer's discovery document and keys, as the first token would. */
export async function checkIssuer(config: Config): Promise<Check> {
  const name = 'OAuth issuer';
  try {
    const { issuer } = readTokenSettings(config);
    const count = await countSigningKeys(issuer);
    if (count > 0) return ok(name, `${issuer} publishes ${describeKeyCount(count)}`);
    const finding = `${issuer} publishes no signing key`;
    return failed(name, finding, unreachableAdvice);
  } catch (error) {
    if (error instanceof ApiError) {
      const advice = 'Correct the option; mneme serve does not start until then.';
      return failed(name, error.message, advice);
    }
    const finding = `${config.oauth_issuer} cannot be used: ${failureReason(error)}`;
    return failed(name, finding, unreachableAdvice);
  }
}

const unreachableAdvice =
  'Check that oauth_issuer is spelled exactly and that this machine reaches it; until then ' +
  'tokens are refused, but API keys work.';

async function countSigningKeys(issuer: string): Promise<number> {
  const connection = openHttpPool({ url: issuer, timeout_ms: issuerTimeoutMs });
  try {
    const { fetch } = connection;
    const { keys } = await readIssuerKeys({ issuer, fetch, timeout_ms: issuerTimeoutMs });
    // Published symmetric keys cannot be secret, and some keys only encrypt.
    return keys.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc').length;
  } finally {
    await connection.close();
  }
}

function describeKeyCount(count: number): string {
  return count === 1 ? 'its key' : `${count} keys`;
}

function failureReason(error: unknown): string {
  if (error instanceof z.ZodError) return 'the response is not an OAuth metadata document';
  if (error instanceof SyntaxError) return 'the response is not valid JSON';
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (error.name === 'TimeoutError') return `it did not respond within ${issuerTimeoutMs} ms`;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
