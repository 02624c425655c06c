import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPostgresAddress } from '../../src/storage/postgres/connection/address.ts';
import { createCertificate } from '../support/certificate.ts';

const address = 'postgres://ada:s3cret@db.example.com:6432/mneme';

describe('the address of a database', () => {
  it('is shown without user and password', () => {
    expect(readPostgresAddress(address).shown).toBe('db.example.com:6432/mneme');
    expect(readPostgresAddress('postgres:///mneme?host=/run/postgresql').shown).toBe(
      '/run/postgresql/mneme',
    );
  });

  it('uses TLS as sslmode says', () => {
    expect(readPostgresAddress(address).ssl).toBe(false);
    expect(readPostgresAddress(`${address}?sslmode=disable`).ssl).toBe(false);
    expect(readPostgresAddress(`${address}?sslmode=require`).ssl).toEqual({
      rejectUnauthorized: false,
    });
    expect(readPostgresAddress(`${address}?sslmode=verify-full`).ssl).toEqual({});
    expect(() => readPostgresAddress(`${address}?sslmode=prefer`)).toThrow('sslmode');
    expect(() => readPostgresAddress(`${address}?sslrootcert=/no/such`)).toThrow('sslrootcert');
  });

  it('reports faulty certificate files before it connects', () => {
    const { cert, key } = createCertificate('ada');
    const other = createCertificate('ada');
    const folder = mkdtempSync(join(tmpdir(), 'mneme-address-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const locked = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'opens it',
    });
    const files = { cert, key, locked, others: other.key, none: 'no certificate' };
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content);
    }
    const read = (parameters: string) => () => {
      return readPostgresAddress(`${address}?${parameters.replace(/@/g, `${folder}/`)}`).ssl;
    };

    expect(read('sslmode=require&sslcert=@cert&sslkey=@key')()).toMatchObject({ cert, key });
    expect(read('sslmode=require&sslcert=@cert&sslkey=@locked&sslpassword=opens%20it')()).toEqual({
      cert,
      key: locked,
      passphrase: 'opens it',
      rejectUnauthorized: false,
    });
    expect(read('sslmode=disable&sslcert=/no/such')()).toBe(false);
    for (const [parameters, problem] of [
      ['sslcert=@cert&sslkey=@key', 'sslcert, sslkey of database_url: TLS is not used without'],
      ['sslmode=require&sslcert=@cert', 'needs both sslcert and sslkey'],
      ['sslmode=require&sslkey=@key', 'needs both sslcert and sslkey'],
      ['sslmode=require&sslcert=@none&sslkey=@key', 'sslcert of database_url names a file without'],
      ['sslmode=require&sslrootcert=@none', 'sslrootcert of database_url names a file without'],
      [
        'sslmode=require&sslcert=@cert&sslkey=@cert',
        'sslkey of database_url is not a readable key',
      ],
      [
        'sslmode=require&sslcert=@cert&sslkey=@locked',
        'sslkey of database_url is not a readable key',
      ],
      ['sslmode=require&sslcert=@cert&sslkey=@others', 'is not the key of sslcert'],
      ['sslmode=require&sslcert=/no/such&sslkey=@key', 'sslcert of database_url names a file that'],
      ['sslmode=require&sslrootcert=@', 'sslrootcert of database_url is not a regular file'],
    ] as const) {
      expect(read(parameters)).toThrow(problem);
    }
  });

  it('keeps what the driver reads itself, and nothing about TLS', () => {
    const { connectionString } = readPostgresAddress(
      `${address}?sslmode=require&application_name=x`,
    );

    expect(connectionString).toBe(`${address}?application_name=x`);
  });

  it('is private on this machine and with TLS', () => {
    expect(readPostgresAddress('postgres://localhost/mneme').isPrivate).toBe(true);
    expect(readPostgresAddress('postgres://127.0.0.1:5432/mneme').isPrivate).toBe(true);
    expect(readPostgresAddress('postgres:///mneme?host=/run/postgresql').isPrivate).toBe(true);
    expect(readPostgresAddress(address).isPrivate).toBe(false);
    expect(readPostgresAddress(`${address}?sslmode=verify-full`).isPrivate).toBe(true);
  });
});
