import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { audience, type Issuer, startIssuer } from '../support/oauth-issuer.ts';
import { runIn, temporaryFolder } from './support.ts';

let issuer: Issuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.close());

const run = runIn(temporaryFolder());

async function diagnose(env: Record<string, string> = {}) {
  const given = { MNEME_OAUTH_ISSUER: issuer.url, MNEME_OAUTH_AUDIENCE: audience, ...env };
  const { code, stdout } = await run(['doctor', '--json'], { env: given });
  const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
  return { code, check: checks.find(({ name }) => name === 'OAuth issuer') };
}

describe('mneme doctor, with an issuer of tokens', () => {
  it('reads its keys', async () => {
    const found = `${issuer.url} publishes its key`;

    const { code, check } = await diagnose();

    expect({ code, check }).toEqual({
      code: 0,
      check: { name: 'OAuth issuer', status: 'ok', found },
    });
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it.each([
    ['has no document', { path: '/.well-known/', status: 404, body: {} }, 'status 404'],
    ['answers something else', { path: '/.well-known/', body: 'hello' }, 'is not valid JSON'],
    [
      'answers another document',
      { path: '/.well-known/', body: {} },
      'not an OAuth metadata document',
    ],
    [
      'calls itself something else',
      {
        path: '/.well-known/',
        body: { issuer: 'https://a.example', jwks_uri: 'https://a.example' },
      },
      'the issuer "https://a.example"',
    ],
    ['has its keys nowhere', { path: '/keys', status: 500, body: {} }, '/keys returned status 500'],
    ['has no keys', { path: '/keys', body: { keys: [] } }, 'publishes no signing key'],
    [
      'has keys that sign nothing',
      { path: '/keys', body: { keys: [{ kty: 'oct' }, { kty: 'RSA', use: 'enc' }] } },
      'publishes no signing key',
    ],
  ])('says that it %s', async (_, { path, ...answer }, found) => {
    const documents = ['openid-configuration', 'oauth-authorization-server'];
    const paths = path === '/keys' ? [path] : documents.map((name) => path + name);
    for (const one of paths) issuer.answer(one, answer);

    const { code, check } = await diagnose();

    expect(code).toBe(1);
    expect(check).toMatchObject({
      status: 'failed',
      found: expect.stringContaining(found),
      advice: expect.stringContaining('Check that oauth_issuer'),
    });
  });

  it('says that it is not there', async () => {
    const { code, check } = await diagnose({ MNEME_OAUTH_ISSUER: 'http://127.0.0.1:9/' });

    expect(code).toBe(1);
    expect(check).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('cannot be used'),
    });
  });

  it('says which option is missing with it', async () => {
    const { code, stdout } = await run(['doctor'], { env: { MNEME_OAUTH_ISSUER: issuer.url } });

    expect(code).toBe(1);
    expect(stdout).toContain('oauth_audience: must be set with oauth_issuer');
    expect(issuer.asked).toEqual([]);
  });
});
