import { describe, expect, it } from 'vitest';
import { captionSize } from './flipbook-caption.ts';

describe('the size of a caption', () => {
  it.each([
    ['Rex swims', 'large'],
    ['Otto, ten weeks old, already in charge.', 'large'],
    ['The day we fetched Otto: he slept all the way home, and then he did not sleep for a week.', 'middle'],
    ['A day at the sea, all of it. '.repeat(12).trim(), 'small'],
    ['A day at the sea, all of it. '.repeat(20).trim(), null],
  ] as const)('depends on its length: %s', (caption, size) => {
    expect(captionSize(caption)).toBe(size);
  });

  it('depends on its lines', () => {
    expect(captionSize('Sit\nDown\nRoll\nStay')).toBe('large');
    expect(captionSize('Sit\n\nDown\n\nStay')).toBe('middle');
    expect(captionSize('sea\n'.repeat(50))).toBe(null);
  });

  it('breaks no long word', () => {
    expect(captionSize('Hundefreundschaften')).toBe('middle');
    expect(captionSize('Donaudampfschifffahrtsgesellschaft')).toBe('small');
    expect(captionSize('x'.repeat(40))).toBe(null);
  });

  it('counts Chinese, Japanese and Korean characters as wide', () => {
    expect(captionSize('我们的小猫今天第一次看到雪')).toBe('large');
    expect(captionSize('我们的小猫今天第一次看到雪'.repeat(4))).toBe('middle');
  });
});
