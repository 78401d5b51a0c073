import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const YEARS = 10;

/** For whoever wants to be encrypted, and asks for no proof of whom with, as mail servers do. Both are PEM. */
export async function makeSelfSignedCertificate(domain: string): Promise<{ key: string; cert: string }> {
  const { pki, md } = (await import('node-forge')).default;
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = pki.createCertificate();
  certificate.serialNumber = '01';
  const name = [{ name: 'commonName', value: domain }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: domain }] }]);
  certificate.publicKey = pki.publicKeyFromPem(pair.publicKey);
  certificate.validity.notAfter.setFullYear(certificate.validity.notBefore.getFullYear() + YEARS);
  certificate.sign(pki.privateKeyFromPem(pair.privateKey), md.sha256.create());
  return { key: pair.privateKey, cert: pki.certificateToPem(certificate) };
}
