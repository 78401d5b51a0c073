import type { Locator, Page } from '@playwright/test';
import { toast } from '../../support/accounts/users.ts';
import { blockImages } from '../../support/apps/network.ts';
import { addMemories, addMemory } from '../albums.ts';
import { desktop, expect, letTimePass, phone, test } from '../fixtures.ts';

/** Of a double click, compared with the whole photo. */
const ZOOM = 2.5;

test.beforeEach(async ({ page, server }) => {
  await letTimePass(page);
  for (const caption of ['Sofa', 'Lake', 'Snow']) addMemory(server, caption, { width: 2400, height: 1800 });
  await page.goto('/gallery');
});

for (const [device, options] of Object.entries({ phone, desktop })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);
    test('a click on the photo opens the lightbox; arrows navigate, Escape closes it', async ({ page }) => {
      await page.getByRole('button', { name: 'Open Lake' }).click();
      await photoButton(page, 'Lake').click();
      await expect(lightbox(page, 'Lake')).toBeFocused();
      await expect(shownPhoto(page, 'Lake')).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('button', { name: 'Close', exact: true })).toBeHidden();

      await page.keyboard.press('ArrowRight');
      await expect(shownPhoto(page, 'Sofa')).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('ArrowRight');
      await expect(lightbox(page, 'Sofa')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Next photo' })).toBeDisabled();
      await page.getByRole('button', { name: 'Previous photo' }).click();
      await page.getByRole('button', { name: 'Previous photo' }).click();
      await expect(shownPhoto(page, 'Snow')).toBeInViewport({ ratio: 1 });
      await expect(lightbox(page, 'Snow').getByRole('status')).toHaveText('Snow');

      await page.keyboard.press('Escape');
      await expect(lightbox(page, 'Snow')).toBeHidden();
      await expect(page.getByRole('dialog', { name: 'Snow' })).toBeVisible();
      await expect(photoButton(page, 'Snow')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
    });
  });
}

test('F opens the lightbox, Tab stays in it, and the X closes it', async ({ page }) => {
  await page.getByRole('button', { name: 'Open Lake' }).click();
  await page.keyboard.press('f');
  const box = lightbox(page, 'Lake');
  await expect(box).toBeFocused();
  for (const name of ['Zoom in', 'Close full screen', 'Previous photo', 'Next photo', 'Zoom in']) {
    await page.keyboard.press('Tab');
    await expect(box.getByRole('button', { name })).toBeFocused();
  }
  await box.getByRole('button', { name: 'Close full screen' }).click();
  await expect(photoButton(page, 'Lake')).toBeFocused();
});

test('wheel, double click, button and key zoom; a drag pans; zooming loads a wider photo', async ({
  page,
}) => {
  await openLightbox(page, 'Lake');
  const photo = shownPhoto(page, 'Lake');
  const fit = await widthOf(photo);
  const center = { x: 640, y: 400 };
  await tapTwice(photo, 'mouse');
  // At the end of its animation.
  await expect.poll(() => widthOf(photo)).toBeCloseTo(fit * ZOOM, 0);
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.currentSrc)).not.toContain('?w=');

  const { x: before } = (await photo.boundingBox())!;
  await page.mouse.move(center.x, center.y);
  await page.mouse.down();
  // The first frames take a part of the way to find out its direction: as far as is needed.
  let x = center.x;
  await expect
    .poll(async () => {
      await page.mouse.move((x += 40), center.y);
      return (await photo.boundingBox())!.x;
    })
    .toBeGreaterThan(before + 80);
  await page.mouse.up();
  expect(await restingX(photo)).toBeGreaterThan(before + 80);

  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(() => widthOf(photo)).toBeCloseTo(fit, 0);
  await page.mouse.move(center.x, center.y);
  await page.mouse.wheel(0, -300);
  await expect.poll(() => widthOf(photo)).toBeGreaterThan(fit * 1.1);
  await page.keyboard.press('z');
  await expect.poll(() => widthOf(photo)).toBeCloseTo(fit, 0);
  await expect(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use(phone);
  test('pinch and double tap zoom, and a swipe opens the next photo', async ({ page }) => {
    await openLightbox(page, 'Lake');
    const photo = shownPhoto(page, 'Lake');
    const fit = await widthOf(photo);
    const touch = await fingers(page);
    await touch('touchStart', [
      { x: 170, y: 400 },
      { x: 220, y: 400 },
    ]);
    for (const reach of [40, 70, 100, 120])
      await touch('touchMove', [
        { x: 170 - reach, y: 400 },
        { x: 220 + reach, y: 400 },
      ]);
    await touch('touchEnd', []);
    await expect.poll(() => widthOf(photo)).toBeGreaterThan(fit * 1.5);

    await page.getByRole('button', { name: 'Zoom out' }).tap();
    await expect.poll(() => widthOf(photo)).toBeCloseTo(fit, 0);
    await tapTwice(photo, 'touch');
    await expect.poll(() => widthOf(photo)).toBeCloseTo(fit * ZOOM, 0);
    await page.getByRole('button', { name: 'Zoom out' }).tap();
    await expect.poll(() => widthOf(photo)).toBeCloseTo(fit, 0);

    await touch('touchStart', [{ x: 320, y: 400 }]);
    for (const x of [280, 220, 150, 80, 40]) await touch('touchMove', [{ x, y: 400 }]);
    await touch('touchEnd', []);
    await expect(lightbox(page, 'Sofa')).toBeVisible();
    await expect(shownPhoto(page, 'Sofa')).toBeInViewport({ ratio: 1 });
  });
});

test('navigation loads more memories, and returns if that fails', async ({ page, server }) => {
  server.state.album.memories = [];
  addMemories(
    server,
    Array.from({ length: 43 }, (_, index) => `Day ${42 - index}`),
  );
  let isCut = true;
  // Shorter pages than the app asks for need fewer steps.
  await page.route('**/api/memories?*', (route) => {
    const url = route.request().url();
    if (isCut && url.includes('cursor=')) return route.abort();
    return route.continue({ url: url.replace('limit=100', 'limit=40') });
  });
  await page.reload();
  await openLightbox(page, 'Day 0');
  for (let presses = 0; presses < 39; presses += 1) await page.keyboard.press('ArrowRight');
  await expect(lightbox(page, 'Day 39')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(toast(page)).toContainText('Failed to load memories');
  await expect(shownPhoto(page, 'Day 39')).toBeInViewport({ ratio: 1 });
  isCut = false;
  await page.keyboard.press('ArrowRight');
  await expect(shownPhoto(page, 'Day 40')).toBeInViewport({ ratio: 1 });
});

test('a photo that fails to load shows an error, and navigation still works', async ({ page }) => {
  const { recover } = await blockImages(page);
  await openLightbox(page, 'Lake');
  await expect(lightbox(page, 'Lake').getByRole('group').getByText('Image not found')).toBeVisible();
  recover();
  await page.keyboard.press('ArrowRight');
  await expect(shownPhoto(page, 'Sofa')).toBeInViewport({ ratio: 1 });
});

test('a photo of unknown size is not stretched', async ({ page, server }) => {
  addMemory(server, 'From an old server', { width: null, height: null });
  await page.reload();
  await openLightbox(page, 'From an old server');
  await expect(shownPhoto(page, 'From an old server')).toHaveCSS('object-fit', 'contain');
});

function lightbox(page: Page, caption: string): Locator {
  return page.locator('.lightbox').and(page.getByRole('dialog', { name: caption, exact: true }));
}

function photoButton(page: Page, caption: string): Locator {
  return page.getByRole('button', { name: `View ${caption} full screen`, exact: true });
}

function shownPhoto(page: Page, caption: string): Locator {
  return page.locator('.lightbox').getByRole('img', { name: caption, exact: true });
}

async function openLightbox(page: Page, caption: string): Promise<void> {
  await page.getByRole('button', { name: `Open ${caption}`, exact: true }).click();
  await photoButton(page, caption).click();
  await expect(lightbox(page, caption)).toBeVisible();
}

async function widthOf(photo: Locator): Promise<number> {
  return (await photo.boundingBox())?.width ?? 0;
}

/** After its last animation. */
async function restingX(photo: Locator): Promise<number> {
  let x = NaN;
  const isAtRest = async () => {
    const last = x;
    x = (await photo.boundingBox())!.x;
    return x === last;
  };
  await expect.poll(isAtRest).toBe(true);
  return x;
}

/** In one task of the page, so that no busy machine makes two single taps of them. */
async function tapTwice(photo: Locator, pointerType: 'mouse' | 'touch'): Promise<void> {
  await photo.evaluate((image, pointerType) => {
    const { left, top, width, height } = image.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2 };
    for (const type of ['pointerdown', 'pointerup', 'pointerdown', 'pointerup'])
      image.dispatchEvent(
        new PointerEvent(type, {
          ...at,
          pointerType,
          pointerId: 1,
          isPrimary: true,
          bubbles: true,
          cancelable: true,
        }),
      );
  }, pointerType);
}

/** Touch points in the format of CDP's Input.dispatchTouchEvent. */
async function fingers(page: Page) {
  const session = await page.context().newCDPSession(page);
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
}
