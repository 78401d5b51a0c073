import { expect, it } from 'vitest';
import { formatReason } from './featured-reason.ts';

it('formatReason says why a photo is shown today', () => {
  expect(formatReason({ reason: 'on-this-day', yearsAgo: 2 })).toBe('On this day, 2 years ago');
  expect(formatReason({ reason: 'on-this-day', yearsAgo: 1 })).toBe('On this day, a year ago');
  expect(formatReason({ reason: 'loved', yearsAgo: null })).toBe('One you love');
  expect(formatReason({ reason: 'recent', yearsAgo: null })).toBe('Recently added');
});
