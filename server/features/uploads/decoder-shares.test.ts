import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startDecoderProcess } from '../../platform/image-decoder/decoder-process-handle.ts';
import { completeUpload, putPhoto } from '../../testing/factories.ts';
import { makePhoto } from '../../testing/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';

/** More would wait in line until one of these is decoded. */
const SLOTS = 3;

/** A decoder that decodes nothing until it is released, and records whose photos it probes and decodes. */
function createHeldDecoder(accountOf: (bytes: Uint8Array) => string) {
  const probed: string[] = [];
  const decoded: string[] = [];
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const start: typeof startDecoderProcess = (...args) => {
    const decoder = startDecoderProcess(...args);
    return {
      ...decoder,
      async ask(task, timeoutMs) {
        const account = accountOf(task.bytes);
        if (task.kind === 'inspect') {
          decoded.push(account);
          await released;
        }
        const answer = await decoder.ask(task, timeoutMs);
        if (task.kind === 'probe') probed.push(account);
        return answer;
      },
    };
  };
  return { start, probed, decoded, release: () => release() };
}

describe('the decoder', () => {
  it('serves accounts in turn: many photos of one do not delay another’s', async () => {
    const photo = await makePhoto();
    const decoder = createHeldDecoder((bytes) => (photo.equals(bytes) ? 'other' : 'busy'));
    const server = await startTestServer({ overrides: { startDecoderProcess: decoder.start } });
    const [busy, other] = [await server.signUp(), await server.signUp()];
    const uploads = [];
    for (let n = 1; n <= SLOTS; n++) uploads.push(await putPhoto(busy, await makePhoto({ width: 100 + n })));
    const uploadURL = await putPhoto(other, photo);

    const completed = uploads.map((each) => completeUpload(busy, { uploadURL: each }));
    await expect.poll(() => decoder.probed).toEqual(Array(SLOTS).fill('busy'));
    completed.push(completeUpload(other, { uploadURL }));
    await expect.poll(() => decoder.probed).toContain('other');
    // Then it is in the queue.
    await nextTurn();
    expect(decoder.decoded).toEqual(['busy']);
    decoder.release();

    for (const { status } of await Promise.all(completed)) expect(status).toBe(201);
    expect(decoder.decoded).toEqual(['busy', 'busy', 'other', 'busy']);
  });
});
