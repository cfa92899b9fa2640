import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Makes a certificate for localhost that nobody else trusts, with openssl. */
export function makeCertificate(folder: string): { certificate: string; key: string } {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const name = '-subj /CN=localhost -addext subjectAltName=DNS:localhost';
  const words = `req ${kind} ${name}`.split(' ');
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { certificate, key };
}
