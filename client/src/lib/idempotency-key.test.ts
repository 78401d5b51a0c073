import { describe, expect, it } from 'vitest';
import { IdempotencyKey } from './idempotency-key.ts';

function formOf(name: string, picture?: File): FormData {
  const form = new FormData();
  form.append('name', name);
  if (picture) form.append('profileImage', picture);
  return form;
}

describe('the key of what a form sends', () => {
  it('stays the same for the same content, picture and all', () => {
    const key = new IdempotencyKey();
    const picture = new File(['pixels'], 'biscuit.jpg', { lastModified: 1 });
    expect(key.for(formOf('Biscuit', picture))).toBe(key.for(formOf('Biscuit', picture)));
  });

  it('is another one for corrected content, and for the same again after a success', () => {
    const key = new IdempotencyKey();
    const first = key.for(formOf('Biscuit'));
    const corrected = key.for(formOf('Cookie'));
    const pictured = key.for(formOf('Cookie', new File(['pixels'], 'cookie.jpg')));
    key.reset();
    const again = key.for(formOf('Cookie', new File(['pixels'], 'cookie.jpg')));
    expect(new Set([first, corrected, pictured, again]).size).toBe(4);
  });

  it('is made of what any header may carry', () => {
    expect(new IdempotencyKey().for(formOf('Biscuit'))).toMatch(/^[0-9a-f]{32}$/);
  });
});
