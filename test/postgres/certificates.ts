import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Made = {
  /** The subject, if it is not the name. */
  of?: string;
  /** The host that it is for, as `DNS:localhost`. */
  subject?: string;
  /** The authority that signs it. */
  by?: string;
};

/** Creates certificates in a folder: `name.crt` with `name.key`. */
export function certificatesIn(folder: string) {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => {
    execFileSync('openssl', args, { stdio: 'ignore' });
  };
  const request = ['req', '-newkey', 'rsa:2048', '-nodes'];
  const authority = (name: string) => {
    const config = at(`${name}.cnf`);
    const known = at(`${name}.txt`);
    writeFileSync(known, '');
    writeFileSync(`${known}.serial`, `01${randomBytes(8).toString('hex')}\n`);
    writeFileSync(config, configOf(known, folder));
    const files = ['-cert', at(`${name}.crt`), '-keyfile', at(`${name}.key`)];
    return (...args: string[]) =>
      openssl('ca', '-batch', '-notext', '-config', config, ...files, ...args);
  };
  return {
    authority: (name: string): void => {
      const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)];
      openssl(...request, '-x509', '-subj', `/CN=${name}`, ...files);
    },
    certificate: (name: string, { of = name, subject = '', by = 'ours' }: Made = {}): void => {
      openssl(
        ...request,
        '-x509',
        '-CA',
        at(`${by}.crt`),
        '-CAkey',
        at(`${by}.key`),
        '-subj',
        `/CN=${of}`,
        '-addext',
        'basicConstraints=critical,CA:FALSE',
        ...(subject === '' ? [] : ['-addext', `subjectAltName=${subject}`]),
        '-keyout',
        at(`${name}.key`),
        '-out',
        at(`${name}.crt`),
      );
    },
    /** One that was good for a year, years ago. */
    ended: (name: string, { of = name, subject = 'DNS:none', by = 'ours' }: Made = {}): void => {
      const wanted = at(`${name}.csr`);
      openssl(...request, '-subj', `/CN=${of}`, '-keyout', at(`${name}.key`), '-out', wanted);
      writeFileSync(at(`${name}.ext`), `subjectAltName=${subject}\n`);
      const year = ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z'];
      const files = ['-extfile', at(`${name}.ext`), '-in', wanted, '-out', at(`${name}.crt`)];
      authority(by)(...year, ...files);
    },
    /** The list of an authority, with the one certificate that it takes back. */
    revoked: (name: string, by = 'ours'): void => {
      const sign = authority(by);
      sign('-revoke', at(`${name}.crt`));
      sign('-gencrl', '-crldays', '30', '-out', at(`${by}.crl`));
    },
    locked: (name: string, locked: string, password: string): void => {
      const files = ['-in', at(`${name}.key`), '-out', at(`${locked}.key`)];
      openssl('pkcs8', '-topk8', ...files, '-passout', `pass:${password}`);
    },
  };
}

/** OpenSSL's settings for an authority, apart from its key. */
function configOf(known: string, folder: string): string {
  return `[ca]
default_ca = own
[own]
database = ${known}
serial = ${known}.serial
new_certs_dir = ${folder}
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`;
}
