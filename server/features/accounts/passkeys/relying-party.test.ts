import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../platform/config/config.ts';
import { findRelyingParty } from './relying-party.ts';

const find = (PUBLIC_URL?: string, origin = 'http://127.0.0.1:5000') =>
  findRelyingParty({
    config: parseConfig(PUBLIC_URL ? { PUBLIC_URL } : {}),
    baseUrl: { origin: () => origin, announce: () => undefined },
  });

describe('the relying party of passkeys', () => {
  it.each([
    ['https://mems.example', 'mems.example'],
    ['https://album.mems.example:8443', 'album.mems.example'],
    ['http://localhost:5000', 'localhost'],
    ['http://mems.localhost', 'mems.localhost'],
  ])('of %s is %s', (url, id) => {
    expect(find(url)).toEqual({ id, origin: url });
  });

  it('is localhost without a public URL, at the port of this server', () => {
    expect(find()).toEqual({ id: 'localhost', origin: 'http://localhost:5000' });
    expect(find(undefined, 'http://192.168.0.7')).toEqual({ id: 'localhost', origin: 'http://localhost' });
  });

  it.each(['http://mems.example', 'https://203.0.113.7', 'http://127.0.0.1:5000', 'https://[2001:db8::1]'])(
    'is missing for %s, where browsers reject passkeys',
    (url) => {
      expect(find(url)).toBeNull();
    },
  );
});
