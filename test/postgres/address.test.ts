import { describe, expect, it } from 'vitest';
import { readAddress } from '../../src/storage/dialects/postgres-address.ts';

const address = 'postgres://ada:s3cret@db.example.com:6432/mneme';

describe('the address of a database', () => {
  it('is told without user and password', () => {
    expect(readAddress(address).shown).toBe('db.example.com:6432/mneme');
    expect(readAddress('postgres:///mneme?host=/run/postgresql').shown).toBe(
      '/run/postgresql/mneme',
    );
  });

  it('asks for TLS as sslmode says', () => {
    expect(readAddress(address).ssl).toBe(false);
    expect(readAddress(`${address}?sslmode=disable`).ssl).toBe(false);
    expect(readAddress(`${address}?sslmode=require`).ssl).toEqual({ rejectUnauthorized: false });
    expect(readAddress(`${address}?sslmode=verify-full`).ssl).toEqual({});
    expect(() => readAddress(`${address}?sslmode=prefer`)).toThrow('sslmode of database_url must');
    expect(() => readAddress(`${address}?sslrootcert=/no/such`)).toThrow('sslrootcert');
  });

  it('keeps what the driver reads itself, and nothing about TLS', () => {
    const { connectionString } = readAddress(`${address}?sslmode=require&application_name=x`);

    expect(connectionString).toBe(`${address}?application_name=x`);
  });

  it('is private on this machine and with TLS', () => {
    expect(readAddress('postgres://localhost/mneme').isPrivate).toBe(true);
    expect(readAddress('postgres://127.0.0.1:5432/mneme').isPrivate).toBe(true);
    expect(readAddress('postgres:///mneme?host=/run/postgresql').isPrivate).toBe(true);
    expect(readAddress(address).isPrivate).toBe(false);
    expect(readAddress(`${address}?sslmode=verify-full`).isPrivate).toBe(true);
  });
});
