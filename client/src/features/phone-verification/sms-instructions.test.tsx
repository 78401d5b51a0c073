import { describe, expect, it } from 'vitest';
import { renderMarkup } from '../../testing/render-markup.tsx';
import { SmsInstructions } from './sms-instructions.tsx';

describe('how photos come in by text', () => {
  it('names the product’s number, which a phone opens its texts with, and the format', () => {
    const markup = renderMarkup(<SmsInstructions productNumber="+12025550100" />);
    expect(markup).toContain('href="sms:+12025550100"');
    expect(markup).toContain('+1 202 555 0100');
    expect(markup).toContain('PetName: Caption');
    expect(markup).toContain('Photos are added automatically.');
  });

  it('is promised to nobody while there is no number', () => {
    expect(renderMarkup(<SmsInstructions productNumber={null} />)).toBe('');
  });
});
