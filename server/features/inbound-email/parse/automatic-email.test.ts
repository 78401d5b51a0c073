import { describe, expect, it } from 'vitest';
import { isAutomatic, isAutomaticSender } from './automatic-email.ts';

const reads = (header: string) => {
  const [name = '', value = ''] = header.split(/: ?/, 2);
  return isAutomatic([{ name, value }]);
};

describe('an email', () => {
  it.each([
    'auto-submitted: auto-replied',
    'auto-submitted: auto-generated; type=x',
    'auto-submitted: notification',
    'x-auto-response-suppress: All',
    'x-auto-response-suppress: OOF, AutoReply',
    'precedence: bulk',
    'precedence: LIST',
    'list-id: <cats.example>',
    'list-unsubscribe: <https://cats.example>',
    'x-autoreply: yes',
    'x-loop: me',
    'return-path: <>',
    'return-path: < >',
    'return-path: <MAILER-DAEMON@mx.example>',
    'content-type: multipart/report; report-type=delivery-status',
  ])('is automatic with %s', (header) => {
    expect(reads(header)).toBe(true);
  });

  it.each([
    'auto-submitted: no',
    'auto-submitted: No (typed by hand)',
    'auto-submitted: no; x=y',
    'x-auto-response-suppress: None',
    'precedence: first-class',
    'return-path: <mara@home.example>',
    'content-type: multipart/mixed',
    'subject: list-id',
  ])('is not automatic with %s', (header) => {
    expect(reads(header)).toBe(false);
  });
});

describe('isAutomaticSender', () => {
  it.each(['', 'mailer-daemon@mx.example', 'MAILER-DAEMON'])('is true for %j', (sender) => {
    expect(isAutomaticSender(sender)).toBe(true);
  });

  it.each([null, 'mara@home.example', 'mailer-daemons@home.example', 'x+mailer-daemon@home.example'])(
    'is false for %j',
    (sender) => {
      expect(isAutomaticSender(sender)).toBe(false);
    },
  );
});
