import * as z from 'zod';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { type Check, failed, ok } from '../check.ts';
import { openConnection } from '../connection.ts';
import { readIssuerKeys } from './issuer-keys.ts';
import { issuerTimeoutMs, readSettings } from './tokens.ts';

/** Reads the configured issuer's discovery document and its keys, as the first token would. */
export async function checkIssuer(config: Config): Promise<Check> {
  const name = 'OAuth issuer';
  try {
    const { issuer } = readSettings(config);
    const count = await countKeys(issuer);
    if (count > 0) return ok(name, `${issuer} publishes ${inWords(count)}`);
    const found = `${issuer} publishes no key that signs`;
    return failed(name, found, unanswered);
  } catch (error) {
    if (error instanceof ApiError) {
      const advice = 'Correct the option; mneme serve does not start with it.';
      return failed(name, error.message, advice);
    }
    const found = `${config.oauth_issuer} is no use: ${reasonOf(error)}`;
    return failed(name, found, unanswered);
  }
}

const unanswered =
  'Check oauth_issuer, to the letter, and that this machine reaches it; until then tokens are ' +
  'refused, and API keys work.';

async function countKeys(issuer: string): Promise<number> {
  const connection = openConnection({ url: issuer, timeout_ms: issuerTimeoutMs });
  try {
    const { fetch } = connection;
    const { keys } = await readIssuerKeys({ issuer, fetch, timeout_ms: issuerTimeoutMs });
    // A secret that both sides know is none that could be published, and some only encrypt.
    return keys.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc').length;
  } finally {
    await connection.close();
  }
}

function inWords(count: number): string {
  return count === 1 ? 'its key' : `${count} keys`;
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'what it answers is no document of an issuer';
  if (error instanceof SyntaxError) return 'what it answers is no JSON';
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (error.name === 'TimeoutError') return `it did not answer within ${issuerTimeoutMs} ms`;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
