import { startOidcProvider, type OidcProvider } from '../../../server/testing/fakes/oidc-provider.ts';
import { test as base } from '../fixtures.ts';
import { createAppFolder, removeAppFolder, startAndWait } from './lifecycle-app.ts';

interface WorkerFixtures {
  provider: OidcProvider;
}

interface Fixtures {
  address: string;
  dataDir: string;
}

/** With an app of the worker that has an OpenID Connect provider, run by the tests. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  provider: [
    async ({}, use) => {
      const provider = await startOidcProvider();
      await use(provider);
      await provider.close();
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ provider }, use) => {
      const folder = createAppFolder();
      const app = await startAndWait(folder, provider.env);
      provider.register(app.address);
      await use({ address: app.address, dataDir: folder.dataDir });
      app.npm.kill('SIGTERM');
      await app.ended;
      removeAppFolder(folder);
    },
    { scope: 'worker' },
  ],
  address: async ({ app }, use) => use(app.address),
  dataDir: async ({ app }, use) => use(app.dataDir),
  baseURL: async ({ address }, use) => use(address),
});
