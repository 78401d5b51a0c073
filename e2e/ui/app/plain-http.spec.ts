import { expectNoViolations } from '../../support/axe.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { expect, test as base } from '../fixtures.ts';

const HOST = 'memories.local';

/** A name that leads to this machine, but is none of the names that browsers trust without https. */
const test = base.extend({
  launchOptions: [
    async ({ launchOptions }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
      }),
    { scope: 'worker' },
  ],
});
test.use({ serviceWorkers: 'allow' });

test('over plain http everything works but what needs https, which the page says', async ({
  page,
  server,
  fakeApp,
}) => {
  const origin = fakeApp.origin.replace('127.0.0.1', HOST);
  server.state.origin = origin;
  await page.goto(`${origin}/add-many`);
  await expect(page.getByText(/^Over https you could install Mems Are Forever on your phone/)).toBeVisible();
  expect(await page.evaluate(() => [isSecureContext, 'serviceWorker' in navigator])).toEqual([false, false]);
  await expectNoViolations(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose photos' }).click();
  await (await chooser).setFiles({ ...(await smallPhoto()), name: 'rex.jpg' });
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress.getByRole('heading')).toHaveText('1 of 1 are in');
});

test('over https, and on this machine, there is nothing to say', async ({ page }) => {
  await page.goto('/add-many');
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  await expect(page.getByText(/^Over https/)).toBeHidden();
});
