import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A self-signed certificate, which nobody trusts. */
export function createCertificate(
  host: string,
  { ends = new Date('2049-12-31T23:59:59Z') } = {},
): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = body(host, publicKey, ends);
  const signature = sign('sha256', signed, privateKey);
  const der = sequence(signed, ecdsaWithSha256, tagged(0x03, Buffer.of(0), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Serial number, algorithm, issuer, validity, subject and key: X.509 version 1. */
function body(host: string, key: KeyObject, ends: Date): Buffer {
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from(host)))));
  const validity = sequence(time('200101000000Z'), time(utc(ends)));
  const spki = key.export({ type: 'spki', format: 'der' });
  return sequence(tagged(0x02, Buffer.of(1)), ecdsaWithSha256, name, validity, name, spki);
}

/** `YYMMDDhhmmssZ`. */
function utc(date: Date): string {
  return `${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`;
}

function time(text: string): Buffer {
  return tagged(0x17, Buffer.from(text));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

/** OIDs 1.2.840.10045.4.3.2 and 2.5.4.3. */
const ecdsaWithSha256 = sequence(tagged(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const commonName = tagged(0x06, Buffer.from('550403', 'hex'));
