import { afterEach, describe, expect, it } from 'vitest';
import { findObstacle } from './passkey-support.ts';

const at = (address: string) => new URL(address) as unknown as Location;

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'window');
});

function useBrowser(features: object): void {
  Object.assign(globalThis, { window: features });
}

describe('what prevents passkeys', () => {
  it('is nothing at the configured origin, in a browser that has them', () => {
    useBrowser({ PublicKeyCredential: class {} });
    expect(findObstacle('https://mems.example', at('https://mems.example/account'))).toBeNull();
  });

  it('is a browser without them', () => {
    useBrowser({});
    expect(findObstacle('https://mems.example', at('https://mems.example'))).toBe('browser');
  });

  it.each([
    ['https://mems.example', 'http://192.168.0.7:5000'],
    ['https://mems.example', 'http://localhost:5000'],
    ['http://localhost:5000', 'http://127.0.0.1:5000'],
    ['http://localhost:5000', 'http://[::1]:5000'],
  ])('is another address, when they work at %s and the page is at %s', (origin, address) => {
    expect(findObstacle(origin, at(address))).toBe('other-address');
  });

  it.each([
    [null, 'https://203.0.113.7'],
    // Only the server's own machine could open that.
    ['http://localhost:5000', 'http://192.168.0.7:5000'],
  ])('is the lack of a secure address, when they work at %s and the page is at %s', (origin, address) => {
    expect(findObstacle(origin, at(address))).toBe('no-secure-address');
  });
});
