import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import type { UploadPermission } from './object-storage.ts';

export type SignedUpload = Pick<UploadPermission, 'contentType' | 'size' | 'maxBytes' | 'sessionId'>;

/** Signs upload URLs with HMAC-SHA256 over the path and the whole query. */
export function createUploadSigner(secret: string, clock: Clock) {
  const signatureOf = (uploadId: string, terms: URLSearchParams) =>
    createHmac('sha256', secret).update(`PUT /uploads/${uploadId}?${terms.toString()}`).digest();

  return {
    sign(upload: UploadPermission): URLSearchParams {
      const query = termsOf({
        expires: String(Math.floor(clock.now().getTime() / 1000) + upload.lifetimeSeconds),
        max: String(upload.maxBytes),
        type: upload.contentType ?? '',
        size: upload.size === null ? '' : String(upload.size),
        session: upload.sessionId ?? '',
      });
      query.set('signature', signatureOf(upload.uploadId, query).toString('base64url'));
      return query;
    },

    verify(uploadId: string, query: Record<string, string>): SignedUpload | 'forged' | 'expired' {
      const terms = termsOf(query);
      const expected = signatureOf(uploadId, terms);
      const given = Buffer.from(query['signature'] ?? '', 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
      if (Number(terms.get('expires')) * 1000 <= clock.now().getTime()) return 'expired';
      return {
        contentType: terms.get('type') || null,
        size: terms.get('size') ? Number(terms.get('size')) : null,
        maxBytes: Number(terms.get('max')),
        sessionId: terms.get('session') || null,
      };
    },
  };
}

/** In a fixed order, since the text is signed. URLs of earlier releases have no session. */
function termsOf(query: Record<string, string>): URLSearchParams {
  const terms = new URLSearchParams(
    ['expires', 'max', 'type', 'size'].map((name): [string, string] => [name, query[name] ?? '']),
  );
  if (query['session']) terms.set('session', query['session']);
  return terms;
}
