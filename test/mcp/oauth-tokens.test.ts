import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenVerifier, type TokenVerifier } from '../../src/app/oauth/token-verifier.ts';
import { configFromOptions } from '../../src/config/load-config.ts';
import { optionNames } from '../../src/config/options.ts';
import { addMember } from '../../src/core/tenants/members.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import {
  audience,
  createKey,
  goodClaims,
  type Issuer,
  startIssuer,
} from '../support/oauth-issuer.ts';

let engine: Engine;
let issuer: Issuer;
let now: number;
const open: TokenVerifier[] = [];
const lines: string[] = [];

beforeEach(async () => {
  [engine, issuer] = await Promise.all([startEngine(), startIssuer()]);
  now = Date.now();
  const place = { org_id: engine.projects.own.org_id, project_key: null };
  await addMember(engine.deps, { place, email: goodClaims.email, role: 'OWNER' }, owner);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((tokens) => tokens.close()));
  await Promise.all([issuer.close(), engine.stop()]);
  lines.length = 0;
});

function tokensWith(changes: Record<string, unknown> = {}): TokenVerifier {
  const given = { oauth_issuer: issuer.url, oauth_audience: audience, ...changes };
  const config = configFromOptions(given, optionNames);
  const log = (_level: string, message: string) => void lines.push(message);
  const tokens = createTokenVerifier(config, { engine, log, now: () => now });
  open.push(tokens);
  return tokens;
}

function keys(): string {
  return `${issuer.url}/keys`;
}

async function accountId(email: string) {
  return (await engine.store.accounts.findByEmail(email))?.account_id;
}

describe('a token of the issuer', () => {
  it('stands for the account with its e-mail', async () => {
    const holder = await tokensWith().authenticate(await issuer.sign());

    expect(holder).toEqual({
      caller: {
        account_id: await accountId(goodClaims.email),
        org_id: null,
        project_id: null,
        bound_to: null,
        read_only: false,
      },
      key_id: 'oauth ada-1',
      rate_key: 'oauth ada-1',
    });
  });

  it.each([
    ['scope', { scope: 'openid mneme:read' }],
    ['scp', { scope: null, scp: ['mneme:read'] }],
  ])('with the scope to read reads only (%s)', async (_, claims) => {
    const holder = await tokensWith().authenticate(await issuer.sign(claims));

    expect(holder).toMatchObject({ caller: { read_only: true }, missing_scope: 'write' });
  });

  it.each([[{ scope: 'openid' }], [{ scope: null }], [{ scope: 'mneme:writer' }]])(
    'without a scope of ours lacks one: %j',
    async (claims) => {
      const holder = await tokensWith().authenticate(await issuer.sign(claims));

      expect(holder).toMatchObject({ missing_scope: 'read', caller: { bound_to: 'project' } });
    },
  );

  it('may have one of several audiences', async () => {
    const token = await issuer.sign({}, { audience: ['account', audience] });

    expect(await tokensWith().authenticate(token)).toMatchObject({ key_id: 'oauth ada-1' });
  });

  it('is known by discovery of OAuth where there is none of OpenID', async () => {
    issuer.answer('/.well-known/openid-configuration', { status: 404, body: {} });

    expect(await tokensWith().authenticate(await issuer.sign())).not.toBeNull();
  });
});

describe('refused as unauthorized', () => {
  it.each([
    ['an expired one', { expiresIn: -60 }, 'the token has expired'],
    ['one for others', { audience: 'https://other.example' }, 'the token is for another audience'],
    [
      'one of another issuer',
      { issuer: 'https://evil.example' },
      'the token is from another issuer',
    ],
  ])('is %s', async (_, signed, message) => {
    const refused = tokensWith().authenticate(await issuer.sign({}, signed));

    await expect(refused).rejects.toMatchObject({ code: 'unauthorized', message });
  });

  it('is one that nobody signed', async () => {
    const [, payload] = (await issuer.sign()).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');

    const refused = tokensWith().authenticate(`${header}.${payload}.`);

    await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('is one that is signed with the public key as if it were a secret', async () => {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'rsa' };
    issuer.answer('/keys', { body: { keys: [jwk] } });
    const forged = await new SignJWT(goodClaims)
      .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
      .setIssuer(issuer.url)
      .setAudience(audience)
      .setExpirationTime('1m')
      .sign(new TextEncoder().encode(JSON.stringify(jwk)));

    const refused = tokensWith().authenticate(forged);

    await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('is one that a secret among the keys would fit', async () => {
    const secret = new TextEncoder().encode('a secret that should never have been told');
    const jwk = { kty: 'oct', kid: 'oct', k: Buffer.from(secret).toString('base64url') };
    issuer.answer('/keys', { body: { keys: [jwk] } });
    const forged = await new SignJWT(goodClaims)
      .setProtectedHeader({ alg: 'HS256', kid: 'oct' })
      .setIssuer(issuer.url)
      .setAudience(audience)
      .setExpirationTime('1m')
      .sign(secret);

    const refused = tokensWith().authenticate(forged);

    await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('is one that was changed on the way', async () => {
    const [header, , signature] = (await issuer.sign()).split('.');
    const other = { ...goodClaims, iss: issuer.url, aud: audience, exp: now / 1000 + 60 };
    const payload = Buffer.from(JSON.stringify(other)).toString('base64url');

    const refused = tokensWith().authenticate(`${header}.${payload}.${signature}`);

    await expect(refused).rejects.toMatchObject({ message: 'the token is not valid' });
  });

  it('is one by a stranger who uses the name of a key', async () => {
    const stranger = { ...(await createKey()), kid: issuer.key().kid };

    const refused = tokensWith().authenticate(await issuer.sign({}, { key: stranger }));

    await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it.each(['sub', 'exp'])('is one without %s', async (claim) => {
    const key = issuer.key();
    const all = { ...goodClaims, exp: Math.floor(now / 1000) + 60 };
    const kept = Object.fromEntries(Object.entries(all).filter(([name]) => name !== claim));
    const token = await new SignJWT(kept)
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .setIssuer(issuer.url)
      .setAudience(audience)
      .sign(key.privateKey);

    await expect(tokensWith().authenticate(token)).rejects.toMatchObject({
      message: expect.stringContaining(`claim "${claim}"`),
    });
  });

  it('is nothing that is no token at all: that is left to others', async () => {
    const tokens = tokensWith();

    expect(await tokens.authenticate('mk_0123')).toBeNull();
    expect(await tokens.authenticate('a.b.c.d')).toBeNull();
    expect(issuer.asked).toEqual([]);
  });
});

describe('the keys of the issuer', () => {
  it('are read once for many tokens, also at the same time', async () => {
    const tokens = tokensWith();
    const signed = await Promise.all([issuer.sign(), issuer.sign({ jti: '2' })]);

    await Promise.all(signed.map(tokens.authenticate));
    await tokens.authenticate(await issuer.sign({ jti: '3' }));

    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it('are read anew for a token that none of them signed', async () => {
    const tokens = tokensWith();
    await tokens.authenticate(await issuer.sign());
    await issuer.rotate();
    now += 11_000;

    const holder = await tokens.authenticate(await issuer.sign());

    expect(holder).toMatchObject({ key_id: 'oauth ada-1' });
  });

  it('are not read again for every made-up key', async () => {
    const tokens = tokensWith();
    await tokens.authenticate(await issuer.sign());
    now += 11_000;

    for (let count = 0; count < 5; count += 1) {
      const made = await issuer.sign({}, { key: await createKey() });
      await expect(tokens.authenticate(made)).rejects.toMatchObject({ code: 'unauthorized' });
    }

    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(2);
  });

  it('that were withdrawn count no longer than ten minutes', async () => {
    const tokens = tokensWith();
    const old = await issuer.sign({}, { expiresIn: 3600 });
    await tokens.authenticate(old);
    await issuer.rotate();
    now += 600_000;

    await expect(tokens.authenticate(old)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('go on for a day while the issuer is away', async () => {
    const tokens = tokensWith();
    const token = await issuer.sign({}, { expiresIn: 3 * 86_400 });
    await tokens.authenticate(token);
    await issuer.close();
    now += 3_600_000;

    expect(await tokens.authenticate(token)).not.toBeNull();
    expect(lines).toEqual(['OAuth issuer keys could not be read']);
    now += 86_400_000;
    await expect(tokens.authenticate(token)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that nobody has yet make tokens wait for the issuer to come back', async () => {
    const tokens = tokensWith();
    const token = await issuer.sign();
    issuer.answer('/keys', { status: 503, body: {} });

    await expect(tokens.authenticate(token)).rejects.toMatchObject({ code: 'unavailable' });
    issuer.answer('/keys', null);
    now += 11_000;

    expect(await tokens.authenticate(token)).not.toBeNull();
  });

  it.each([
    ['of an issuer with another name', () => ({ issuer: 'https://a.example', jwks_uri: keys() })],
    ['without an address', () => ({ issuer: issuer.url })],
    ['in no JSON', () => '<html>'],
  ])('are not taken from a discovery document %s', async (_, body) => {
    issuer.answer('/.well-known/openid-configuration', { body: body() });

    const refused = tokensWith().authenticate(await issuer.sign());

    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are not taken where the issuer sends elsewhere', async () => {
    issuer.answer('/keys', { status: 302, body: {} });

    const refused = tokensWith().authenticate(await issuer.sign());

    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('claims', () => {
  const places = { oauth_org_claim: 'org', oauth_project_claim: 'https://a.example/project' };

  it('name the place that a token reaches, and the user that it is held to', async () => {
    const tokens = tokensWith({ ...places, oauth_user_claim: 'sub' });
    const claims = { org: 'acme', 'https://a.example/project': ['web'] };

    const holder = await tokens.authenticate(await issuer.sign(claims));

    expect(holder).toMatchObject({
      caller: { org_id: 'acme', project_id: 'web', bound_to: 'project' },
      user_id: 'ada-1',
    });
    expect(holder?.caller).not.toHaveProperty('role');
  });

  it.each([
    [['offline_access', 'reader'], 'READER'],
    [['reader', 'owner'], 'OWNER'],
    ['OWNER', 'OWNER'],
  ])('name the role, also nested and in a list: %j', async (named, role) => {
    const changes = { oauth_org_claim: 'org', oauth_role_claim: 'realm_access.roles' };
    const claims = { email: 'new@a.example', org: 'acme', realm_access: { roles: named } };

    const holder = await tokensWith(changes).authenticate(await issuer.sign(claims));

    expect(holder?.caller).toEqual({
      account_id: await accountId('new@a.example'),
      org_id: 'acme',
      project_id: null,
      bound_to: 'organization',
      read_only: false,
      role,
    });
  });

  it.each([
    ['no e-mail', { email: null }],
    ['one that is none', { email: 'ada' }],
    ['one that is not verified', { email_verified: false }],
    ['one that nobody here has', { email: 'eve@evil.example' }],
  ])('are refused with %s', async (_, claims) => {
    const refused = tokensWith().authenticate(await issuer.sign(claims));

    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });

  it.each([[null], [''], ['*'], [['a', 'b']], [7], [{ id: 'a' }]])(
    'are refused with an organization like %j',
    async (org) => {
      const refused = tokensWith({ oauth_org_claim: 'org' }).authenticate(
        await issuer.sign({ org }),
      );

      await expect(refused).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('claim "org"'),
      });
    },
  );

  it.each([[null], ['admin'], [['OWNERS']]])('are refused with a role like %j', async (role) => {
    const tokens = tokensWith({ oauth_org_claim: 'org', oauth_role_claim: 'role' });

    const refused = tokens.authenticate(await issuer.sign({ org: 'acme', role }));

    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('that objects have by birth are none', async () => {
    const tokens = tokensWith({ oauth_org_claim: 'constructor.name' });

    await expect(tokens.authenticate(await issuer.sign())).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('options', () => {
  it.each([
    [{ oauth_audience: undefined }, 'oauth_audience'],
    [{ oauth_role_claim: 'role' }, 'oauth_role_claim'],
    [{ oauth_user_claim: 'sub', lock_scope: true }, 'oauth_user_claim'],
  ])('that do not fit each other are refused by name: %j', (changes, field) => {
    expect(() => tokensWith(changes)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringMatching(`^${field}: `) }),
    );
  });

  it.each(['http://id.example.com', 'https://id.example.com/?a=1', 'id.example.com', 'https://'])(
    'name no issuer such as %s',
    (oauth_issuer) => {
      expect(() => tokensWith({ oauth_issuer })).toThrow(/^oauth_issuer: /);
    },
  );
});
