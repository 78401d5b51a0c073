// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { findDroppedLink, toPhotoUrl } from './photo-link.ts';

describe('toPhotoUrl', () => {
  it.each([
    ['https://photos.example/rex.jpg', 'https://photos.example/rex.jpg'],
    ['HTTP://photos.example', 'http://photos.example/'],
    ['photos.example/rex.jpg?w=1', 'https://photos.example/rex.jpg?w=1'],
    [' https://photos.example/rex.jpg\n', 'https://photos.example/rex.jpg'],
    ['rex', null],
    ['a dog.', null],
    ['', null],
    ['file:///etc/passwd', null],
    ['javascript:alert(1)', null],
    ['data:image/png;base64,AAAA', null],
    ['https://', null],
  ])('%j is %j', (text, url) => expect(toPhotoUrl(text)).toBe(url));
});

describe('findDroppedLink', () => {
  const find = (data: Record<string, string>) =>
    findDroppedLink({ getData: (format: string) => data[format] ?? '' });

  it('prefers the image in a link', () => {
    const html = '<a href="https://a.example/page"><img src="https://a.example/rex.jpg"></a>';
    expect(find({ 'text/uri-list': 'https://a.example/page', 'text/html': html })).toBe(
      'https://a.example/rex.jpg',
    );
  });
  it('uses the first link of a list', () => {
    expect(find({ 'text/uri-list': '# Rex\r\nhttps://a.example/1\r\nhttps://a.example/2' })).toBe(
      'https://a.example/1',
    );
  });
  it('ignores an embedded image', () => {
    const html = '<img src="data:image/png;base64,AAAA">';
    expect(find({ 'text/uri-list': 'https://a.example/1', 'text/html': html })).toBe('https://a.example/1');
  });
  it('finds nothing in text', () => expect(find({ 'text/plain': 'Rex' })).toBe(''));
});
