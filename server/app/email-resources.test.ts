import { expect, it } from 'vitest';
import { renderInvitationEmail } from '../features/accounts/invitations/email-templates/invitation-email.tsx';
import { renderAccountEmail } from '../features/accounts/users/email-templates/account-email.tsx';
import { renderSecurityNotice } from '../features/accounts/users/email-templates/security-notice.tsx';
import { renderBackupFailure } from '../features/backups/email-templates/backup-failure.tsx';
import { renderPhotosEmail } from '../features/deliveries/email-templates/photos-email.tsx';
import { renderWelcomeEmail } from '../features/deliveries/email-templates/welcome-email.tsx';
import { renderReplyEmail } from '../features/inbound-email/email-templates/reply-email.tsx';
import type { Config } from '../platform/config/config.ts';
import type { EmailContent } from '../platform/email-templates/render-email.ts';

const ORIGIN = 'https://mems.example';
const name = 'Mara';
const url = `${ORIGIN}/somewhere`;
const links = { unsubscribe: `${ORIGIN}/unsubscribe/t`, preferences: `${ORIGIN}/preferences/t` };
const outcome = {
  added: 1,
  repeated: 0,
  rejections: [],
  leftOut: 0,
  otherFiles: 0,
  isEncrypted: false,
  petName: null,
};
const config = { limits: { storageBytesPerUser: 10 * 1024 ** 3 } as Config['limits'] };
const photo = {
  cid: 'one',
  width: 800,
  height: 600,
  caption: `<img src="${ORIGIN}/a.png"> <style>@import url(${ORIGIN}/b.css)</style>`,
  petName: 'Rex',
  day: 'Sunday, March 1, 2026',
  url,
};

const EMAILS: Record<string, () => EmailContent> = {
  photo: () => renderPhotosEmail({ ownerName: name, photos: [photo], isDigest: false, links }),
  digest: () => renderPhotosEmail({ ownerName: name, photos: [photo, photo], isDigest: true, links }),
  welcome: () => renderWelcomeEmail({ ownerName: name, links }),
  reply: () => renderReplyEmail({ subject: '', outcome }, { origin: ORIGIN, isOwner: true, config }),
  invitation: () => renderInvitationEmail({ inviter: name, url }),
  account: () => renderAccountEmail('verify-email', { name, url, disownUrl: url, day: null }),
  notice: () => renderSecurityNotice('passkey-added', { name, url, when: '', where: null, otherEmail: null }),
  backup: () => renderBackupFailure({ name, url, reason: 'The disk is full', lastBackup: null }),
};

/** What email clients request when they show it. Links are requested when they are opened. */
function resourcesOf(html: string): string[] {
  const styles = html.match(/<style\b.*?<\/style>|\bstyle="[^"]*"/gis) ?? [];
  return [
    ...html.matchAll(/<(?:link|script|iframe|video|audio|embed|object|source)\b[^>]*>/gi),
    ...html.matchAll(/\b(?:src|srcset|background|poster)="(?!cid:)[^"]*"/gi),
    ...styles.join('').matchAll(/@import|@font-face|url\(/gi),
  ].map(([found]) => found);
}

it.each(Object.keys(EMAILS))('the email "%s" loads nothing when it is opened', (kind) => {
  const { html } = EMAILS[kind]!();
  expect(resourcesOf(html)).toEqual([]);
});
