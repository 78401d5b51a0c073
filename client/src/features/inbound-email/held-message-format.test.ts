import { describe, expect, it } from 'vitest';
import { formatExpiry, formatRecipients } from './held-message-format.ts';

describe('formatExpiry', () => {
  it("counts calendar days in the reader's zone", () => {
    const now = new Date(2026, 2, 1, 22);
    const on = (day: number, hour: number) => ({ expiresAt: new Date(2026, 2, day, hour).toISOString() });
    expect(formatExpiry(on(31, 22), now)).toBe('Expires in 30 days');
    expect(formatExpiry(on(2, 1), now)).toBe('Expires tomorrow');
    expect(formatExpiry(on(1, 23), now)).toBe('Expires today');
    expect(formatExpiry(on(1, 21), now)).toBe('Expires today');
  });
});

it('formatRecipients names up to three contacts', () => {
  const recipients = (...names: string[]) => formatRecipients(names.map((name) => ({ name })));
  expect(recipients('Oma Ingrid')).toBe('Oma Ingrid');
  expect(recipients('Oma', 'Uwe', 'Ute')).toBe('Oma, Uwe and Ute');
  expect(recipients('Oma', 'Uwe', 'Ute', 'Jo')).toBe('Oma, Uwe and 2 others');
});
