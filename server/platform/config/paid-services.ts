import type { accessSettings } from './settings/access-settings.ts';
import type { caricatureGeneratorSettings } from './settings/caricature-generator-settings.ts';
import type { emailSettings } from './settings/email-settings.ts';
import type { httpSettings } from './settings/http-settings.ts';
import type { smsSettings } from './settings/sms-settings.ts';

type Settings = {
  http: ReturnType<typeof httpSettings.toSettings>;
  access: ReturnType<typeof accessSettings.toSettings>;
  email: ReturnType<typeof emailSettings.toSettings>;
  sms: ReturnType<typeof smsSettings.toSettings>;
  caricatureGenerator: ReturnType<typeof caricatureGeneratorSettings.toSettings>;
};

/**
 * The configured services that cost money and stay off: without a mail server no address is verified, so where strangers can
 * register they could spend any amount with invented addresses.
 */
export function findUnsafePaidServices({
  http,
  access,
  email,
  sms,
  caricatureGenerator,
}: Settings): string[] {
  const isProtected = http.isOnlyLocal || access.registration !== 'open' || email.transport.kind === 'smtp';
  if (isProtected) return [];
  return [
    ...(sms.transport.kind === 'twilio' ? ['Twilio'] : []),
    ...(caricatureGenerator.kind === 'openai' ? ['OpenAI'] : []),
  ];
}

/** For the operator and administrators. Empty if nothing is off. */
export function describePaidServicesOff(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const verb = names.length > 1 ? 'are' : 'is';
  return [
    `${names.join(' and ')} ${verb} off: anyone can create an account here, and no address is verified. Set SMTP_URL, or REGISTRATION=invite.`,
  ];
}
