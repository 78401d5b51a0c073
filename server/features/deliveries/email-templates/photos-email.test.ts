import { describe, expect, it } from 'vitest';
import type { EmailPhoto } from './photo-print.tsx';
import { renderPhotosEmail } from './photos-email.tsx';

const links = {
  unsubscribe: 'https://mems.example/unsubscribe/t',
  preferences: 'https://mems.example/preferences/t',
};
const photo: EmailPhoto = {
  cid: 'one',
  width: 1600,
  height: 1200,
  caption: 'First snow\nof the year',
  petName: 'Rex',
  day: 'Sunday, March 1, 2026',
  url: 'https://mems.example/p/one',
};
const render = (changes: Partial<EmailPhoto> = {}, ownerName = 'Mara') =>
  renderPhotosEmail({ ownerName, photos: [{ ...photo, ...changes }], isDigest: false, links });

describe('an email with a photo', () => {
  it('shows it in its proportions, within the print’s size, with an alt text', () => {
    expect(render().html).toMatch(
      /<img [^>]*alt="First snow\nof the year"[^>]* height="413"[^>]* width="550"/,
    );
    const { html } = render({ caption: null, width: 60, height: 90 });
    expect(html).toMatch(/<img [^>]*alt="Rex, Sunday, March 1, 2026"[^>]* height="90"[^>]* width="60"/);
  });

  it('preloads nothing, because the photo is attached', () => {
    const { html } = render({ caption: '<link rel="preload">' });
    expect(html).not.toContain('<link');
    expect(html).toContain('&lt;link');
  });

  it('has a plain text version', () => {
    expect(render().text).toBe(`Mara has shared a new photo of Rex

First snow
of the year
Rex · Sunday, March 1, 2026
View in browser: https://mems.example/p/one

To write to Mara, just reply to this email.

--
You get this because Mara added you to their pet album on Mems Are Forever.
Choose what you get: https://mems.example/preferences/t
Stop these emails: https://mems.example/unsubscribe/t`);
  });

  it('clips a very long caption', () => {
    const { html, text } = render({ caption: 'x'.repeat(200_000) });
    expect(html.length + text.length).toBeLessThan(20_000);
    expect(text).toContain('x…');
  });

  it('sets the text direction of captions and names', () => {
    const { html } = render({ caption: 'ثلج', petName: 'مشمش' }, 'שרה');
    for (const words of ['ثلج', 'مشمش', 'שרה']) expect(html).toMatch(new RegExp(`dir="auto"[^>]*>${words}<`));
  });
});

describe('an email with several photos', () => {
  it.each([
    [['Rex', 'Biscuit', 'Rex', 'Rex'], '4 new photos of Rex and Biscuit'],
    [['Rex', 'Rex'], '2 new photos of Rex'],
    [['Rex', 'Mia', 'Bo'], '3 new photos of Rex, Mia, and Bo'],
    [['Rex', 'Mia', 'Bo', 'Tom'], '4 new photos of Rex, Mia, and 2 other pets'],
    [['Rex', null], '2 new photos'],
  ])('of %s says that the owner has shared %s', (petNames, news) => {
    const photos = petNames.map((petName) => ({ ...photo, petName })) as [EmailPhoto, ...EmailPhoto[]];
    const email = renderPhotosEmail({ ownerName: 'Mara', photos, isDigest: false, links });
    expect(email.subject).toBe(`Mara has shared ${news}`);
    expect(email.html).toContain(`>Mara</span> has shared ${news}<`);
  });
});

describe('an email with many long captions', () => {
  it.each([
    ['quotes and tags', `"A" & <b> 'x' `],
    ['Hindi', 'पहली बर्फ़ में रेक्स '],
    ['Cyrillic', 'Первый снег '],
    ['Chinese', '初雪的那一天'],
    ['emoji', '👩‍👩‍👧‍👦🐕‍🦺'],
    ['links', 'a.b@c.d/'],
    ['lines', 'Rex\n'],
    ['combining marks', `R${'\u0301'.repeat(5000)}`],
  ])('stays below what Gmail cuts, with all photos: %s', (_, text) => {
    const caption = `Snow ${text.repeat(2000)}`.slice(0, 20_000);
    const petName = '"'.repeat(100);
    const cids = Array.from({ length: 24 }, (_, index) => `photo-${index}`);
    const photos = cids.map((cid) => ({ ...photo, cid, caption, petName })) as [EmailPhoto, ...EmailPhoto[]];
    const { html } = renderPhotosEmail({ ownerName: 'Mara', photos, isDigest: true, links });
    expect(Buffer.byteLength(html)).toBeLessThan(100 * 1000);
    expect(html.match(/src="cid:[^"]*"/g)).toEqual(cids.map((cid) => `src="cid:${cid}"`));
    expect(html.match(/>Snow/g)).toHaveLength(25);
    expect(html).toMatch(/unsubscribe\/t"[^>]*>Stop these emails<.*<\/html>$/s);
  });

  it('shortens none that fit', () => {
    const long = { ...photo, caption: 'ж'.repeat(900) };
    const photos = Array<EmailPhoto>(20).fill({ ...photo, caption: 'First snow' });
    const { html } = renderPhotosEmail({
      ownerName: 'Mara',
      photos: [long, ...photos],
      isDigest: true,
      links,
    });
    expect(html).toContain(`>${long.caption}<`);
  });
});
