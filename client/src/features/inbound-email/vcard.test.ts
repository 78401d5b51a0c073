import { describe, expect, it } from 'vitest';
import { buildVCard } from './vcard.ts';

describe('buildVCard', () => {
  it('contains the address, and the phone number if there is one', () => {
    const card = buildVCard({ email: 'k3v9@in.mems.example', phoneNumber: '+12025550100' });
    expect(card).toBe(
      'BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Mems Are Forever;;;\r\nFN:Mems Are Forever\r\n' +
        'EMAIL:k3v9@in.mems.example\r\nTEL;TYPE=CELL:+12025550100\r\nEND:VCARD\r\n',
    );
    expect(buildVCard({ email: 'k3v9@in.mems.example', phoneNumber: null })).not.toContain('TEL');
  });
});
