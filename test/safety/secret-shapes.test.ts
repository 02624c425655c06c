import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/core/safety/secrets.ts';

const awsSecret = 'kR7vTq2/ZbN9xLw4+Hs8Yd3mPf6GjAc1EuVo5iXt';
const hex = '4f1c9a7be23d4c06a8d15f7093be62c4';

it.each([
  ['an AWS secret in prose', `For the S3 bucket it was ${awsSecret}, I think.`, awsSecret],
  ['a key behind "is"', `Our AWS secret key is ${awsSecret}.`, awsSecret],
  ['a password of an address with a slash', 'postgres://app:Kite/9wind@db:5432/shop', 'Kite/9wind'],
  ['a key as the user of an address', `https://${hex}@o4507.ingest.sentry.io/45`, hex],
  ['a Google refresh token', 'refresh: 1//0gYv8K2nQxWcUCgYIARAAGBASNwF-L9Ir', '1//0gYv8K2nQxWc'],
  ['a card with dots', 'My card is 4111.1111.1111.1111.', '4111.1111.1111.1111'],
  ['an Amex card with dots', 'Amex 3782.822463.10005 it is', '3782.822463.10005'],
  ['a full-width card', 'カードは４１１１　１１１１　１１１１　１１１１です', '４１１１'],
  ['a full-width key', 'ｇｈｐ＿ａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖ０１', 'ｇｈｐ＿'],
  ['an IBAN', 'Pay to DE89370400440532013000, please', 'DE89370400440532013000'],
  ['an IBAN in groups', 'GB82 WEST 1234 5698 7654 32 is mine', 'WEST 1234 5698 7654 32'],
  ['an IBAN in small letters', 'it is no93 8601 1117 947 now', '8601 1117 947'],
  ['a social security number', 'Mine is 219-09-9999.', '219-09-9999'],
  ['one without dashes behind its name', 'SSN: 219 09 9999', '219 09 9999'],
])('%s is taken out', (_what, text, secret) => {
  const redacted = redactSecrets(text).text;

  expect(redacted).toContain('[REDACTED:');
  expect(redacted).not.toContain(secret);
});

describe('what only looks like a secret stays', () => {
  it.each([
    ['a number that no card has', 'Order 4111.1111.1111.1112 has shipped'],
    ['an IBAN with a wrong check', 'Reference DE88 3704 0044 0532 0130 00'],
    ['a UUID', 'Request de89abcd-1234-4abc-89ab-1234567890ab failed'],
    ['a number that no person has', 'Part 900-12-3456 and 000-12-3456'],
    ['nine digits of another thing', 'Ticket 219099999 is closed'],
    ['a port and a name in a path', 'Open http://localhost:3000/users/@ann/posts'],
    ['a path beside AWS', 'The AWS docs: guides/storage/BucketPolicies/version20'],
    ['a commit', 'The s3 fix is 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12'],
    ['full-width text', 'ＵＳＢ　３．０のケーブルを２本買った'],
    ['how a passphrase is made', 'The passphrase is four random words'],
    ['how long a password is', 'The password is twelve characters long'],
    ['a call', 'const password = getPassword();'],
    ['a call that waits', 'const password = await vault.readPassword(user);'],
    ['a member', 'const password = req.body.password;'],
    ['a type', 'type Login = { name: string; password: string };'],
    ['what a token is', 'token: the smallest unit of text'],
    ['what a token is, with a long word', 'Token: something that a model reads at once'],
  ])('%s', (_what, text) => {
    expect(redactSecrets(text)).toEqual({ text, kinds: [] });
  });
});

it.each([
  ['a passphrase of words', 'The passphrase is correct horse battery staple', 'correct'],
  ['a password with a bracket', 'My password is Kite(9)wind', 'Kite(9)wind'],
  ['a key in a file', 'API_SECRET=swordfishes', 'swordfishes'],
])('%s is still taken out', (_what, text, secret) => {
  expect(redactSecrets(text).text).not.toContain(secret);
});
