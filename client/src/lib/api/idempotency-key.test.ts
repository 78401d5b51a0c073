import { describe, expect, it } from 'vitest';
import { IdempotencyKey } from './idempotency-key.ts';

function formOf(name: string, picture?: File): FormData {
  const form = new FormData();
  form.append('name', name);
  if (picture) form.append('profileImage', picture);
  return form;
}

describe('idempotency key', () => {
  it('stays the same for the same content, files included', () => {
    const key = new IdempotencyKey();
    const picture = new File(['pixels'], 'biscuit.jpg', { lastModified: 1 });
    expect(key.for(formOf('Biscuit', picture))).toBe(key.for(formOf('Biscuit', picture)));
  });

  it('changes with the content and after a reset', () => {
    const key = new IdempotencyKey();
    const first = key.for(formOf('Biscuit'));
    const corrected = key.for(formOf('Cookie'));
    const pictured = key.for(formOf('Cookie', new File(['pixels'], 'cookie.jpg')));
    key.reset();
    const again = key.for(formOf('Cookie', new File(['pixels'], 'cookie.jpg')));
    expect(new Set([first, corrected, pictured, again]).size).toBe(4);
  });

  it('is a valid header value', () => {
    expect(new IdempotencyKey().for(formOf('Biscuit'))).toMatch(/^[0-9a-f]{32}$/);
  });
});
