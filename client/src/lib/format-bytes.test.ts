import { expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '0.977 KB'],
  [1536, '1.5 KB'],
  [5 * 1024 ** 2, '5 MB'],
  [999.9 * 1024 ** 2, '0.976 GB'],
  [1.234 * 1024 ** 3, '1.23 GB'],
  [10 * 1024 ** 3, '10 GB'],
  [2 ** 50, '1 PB'],
])('shows %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
