import { describe, expect, it } from 'vitest';
import { renderMarkup } from '../../testing/render-markup.tsx';
import { SmsInstructions } from './sms-instructions.tsx';

describe('SMS instructions', () => {
  it("link the product's number and show the format", () => {
    const markup = renderMarkup(<SmsInstructions productNumber="+12025550100" />);
    expect(markup).toContain('href="sms:+12025550100"');
    expect(markup).toContain('+1 202 555 0100');
    expect(markup).toContain('PetName: Caption');
    expect(markup).toContain('Photos are added automatically.');
  });

  it('are hidden without a product number', () => {
    expect(renderMarkup(<SmsInstructions productNumber={null} />)).toBe('');
  });
});
