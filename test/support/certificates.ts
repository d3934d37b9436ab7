import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

/** A certificate with its key, both in PEM. `sha256` is as OpenSSL prints it. */
export type TestIdentity = { cert: string; key: string; sha256: string };

type Wanted = {
  commonName: string;
  /** DNS names and IP addresses. */
  names?: string[];
  /** In days from now. */
  validDays?: readonly [from: number, to: number];
  signedBy?: TestIdentity;
  isAuthority?: boolean;
};

const dayMs = 24 * 3600 * 1000;
let serial = 1;

/** Makes a certificate, signed by its own key unless an authority is given. */
export function makeCertificate(wanted: Wanted): TestIdentity {
  const { commonName, names = [], validDays = [-1, 30], signedBy, isAuthority = false } = wanted;
  // Node makes the key pair, since forge's own needs seconds.
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(
    createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  );
  serial += 1;
  // A leading zero byte would be no minimal integer, which BoringSSL refuses.
  certificate.serialNumber = `01${serial.toString(16).padStart(6, '0')}`;
  certificate.validity.notBefore = new Date(Date.now() + validDays[0] * dayMs);
  certificate.validity.notAfter = new Date(Date.now() + validDays[1] * dayMs);
  const subject = [
    // The package declares this type as a class.
    { name: 'commonName', value: commonName, valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class },
    { name: 'organizationName', value: 'Llavero tests' },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(signedBy ? forge.pki.certificateFromPem(signedBy.cert).subject.attributes : subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: isAuthority, critical: true },
    ...(isAuthority
      ? [{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true }]
      : [{ name: 'extKeyUsage', serverAuth: true, clientAuth: true }]),
    ...(names.length === 0
      ? []
      : [
          {
            name: 'subjectAltName',
            altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
          },
        ]),
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(signedBy?.key ?? key), forge.md.sha256.create());
  const cert = forge.pki.certificateToPem(certificate);
  return { cert, key, sha256: new X509Certificate(cert).fingerprint256 };
}

export function pfxOf({ cert, key }: TestIdentity, passphrase: string): Buffer {
  const bag = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(key),
    [forge.pki.certificateFromPem(cert)],
    passphrase,
    { algorithm: '3des' },
  );
  return Buffer.from(forge.asn1.toDer(bag).getBytes(), 'latin1');
}

export function encryptedKeyOf({ key }: TestIdentity, passphrase: string): string {
  return createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString();
}
