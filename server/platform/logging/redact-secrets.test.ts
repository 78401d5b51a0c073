import { expect, it } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

it.each([
  ['GET /p/abc-123/photo.jpg', 'GET /p/[redacted]/photo.jpg'],
  ['http://mems.example/unsubscribe/abc', 'http://mems.example/unsubscribe/[redacted]'],
  ['see "/preferences/abc?saved"', 'see "/preferences/[redacted]?saved"'],
  ['/api/invitations/abc', '/api/invitations/[redacted]'],
  // As a page of an earlier release asks for it.
  ['/api/invites/abc', '/api/invites/[redacted]'],
  ['/companion/api/abc', '/companion/api/[redacted]'],
  ['/auth?next=%2F&invite=abc', '/auth?next=%2F&invite=[redacted]'],
  ['/uploads/1?size=3&signature=abc', '/uploads/1?size=3&signature=[redacted]'],
  ['https://s3/x?X-Amz-Signature=abc&x=1', 'https://s3/x?X-Amz-Signature=[redacted]&x=1'],
  [
    '/companion/drive/callback?code=abc&state=def',
    '/companion/drive/callback?code=[redacted]&state=[redacted]',
  ],
  ['/reset-password#abc', '/reset-password#[redacted]'],
  ['/start-again#abc', '/start-again#[redacted]'],
  ['/not-me#abc', '/not-me#[redacted]'],
  ['/secure-account#abc', '/secure-account#[redacted]'],
  ['postgres://app:abc@db:5432/mems', 'postgres://app:[redacted]@db:5432/mems'],
  ['550 5.1.1 <oma+x@family.example>: unknown', '550 5.1.1 <[redacted]>: unknown'],
  ["The 'To' number +12065550123 is invalid", "The 'To' number [redacted] is invalid"],
  ['/Accounts/AC1/Messages?To=%2B12065550123', '/Accounts/AC1/Messages?To=[redacted]'],
])('redacts the secrets of %s', (text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted);
});

it.each([
  '/api/memories/018f',
  '/api/admin/invitations/018f',
  'http://localhost:3000/a@b',
  '/pets/1',
  'node_modules/@aws-sdk/client-s3/dist.js',
  'pino@10.4.0',
  '2026-11-23T21:00:00+00:00',
])('leaves %s unchanged', (text) => {
  expect(redactSecrets(text)).toBe(text);
});
