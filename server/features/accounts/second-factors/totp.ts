import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** Clocks differ, and people type slowly. */
const ACCEPTED_STEPS_BESIDE_CURRENT = 1;

/** 160 bits, as RFC 4226 recommends. Base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** For a QR code. */
export function toTotpUri(secret: string, email: string): string {
  return createTotp(secret, email).toString();
}

/** The time step of a code; null for a wrong or an expired one. */
export function findTimeStep(secret: string, code: string, now: Date): number | null {
  // The library throws for other characters of more than one byte.
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const window = ACCEPTED_STEPS_BESIDE_CURRENT;
  const delta = createTotp(secret).validate({ token: code, timestamp, window });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

/** SHA-1, six digits and 30 seconds: what every authenticator app supports. */
function createTotp(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Mems Are Forever',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
