import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  askForCaricature,
  listCaricatures,
  openaiSettings,
  signUpWithPet,
} from '../../testing/data/caricatures.ts';
import { startOpenaiServer } from '../../testing/fakes/openai-server.ts';
import { createInstallation } from '../../testing/faults/installation.ts';

/** A generous timeout for a busy machine. */
const PATIENCE_MS = 120_000;
const PATIENCE = { timeout: PATIENCE_MS, interval: 50 };

describe('the app, killed while a caricature is generating', { timeout: 2 * PATIENCE_MS }, () => {
  it('generates it once more after the restart, by one worker', async () => {
    const openai = await startOpenaiServer();
    const installation = await createInstallation(openaiSettings(openai));
    onTestFinished(async () => {
      await installation.remove();
      await openai.close();
    });
    await installation.start();
    const owner = await signUpWithPet({
      async signUp() {
        const client = installation.client();
        const account = { email: 'mara@mems.example', username: 'mara', password: 'correct horse' };
        const { id: userId } = (await client.post('/api/register', account)).body as { id: string };
        return Object.assign(client, { userId });
      },
    });

    openai.respondNext('held');
    expect((await askForCaricature(owner)).status).toBe(202);
    await vi.waitUntil(() => openai.received.length === 1, PATIENCE);
    await installation.killAndRestart();
    openai.release();

    await vi.waitUntil(async () => (await listCaricatures(owner))[0]?.status !== 'generating', PATIENCE);
    const caricatures = await listCaricatures(owner);
    expect(caricatures).toMatchObject([{ status: 'completed', memoryId: owner.memory.id }]);
    expect((await owner.get(caricatures[0]?.caricatureImageUrl ?? '')).status).toBe(200);
    expect(openai.calls()).toBe(2);
    const originals = (await installation.objects.list()).filter((key) => key.startsWith('originals/'));
    expect(originals).toHaveLength(2);
  });
});
