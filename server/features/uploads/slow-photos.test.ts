import { beforeEach, describe, expect, it } from 'vitest';
import type { FlipbookPdf } from '#shared/album/flipbook';
import { MAX_DECODE_ATTEMPTS } from '../../platform/errors.ts';
import { memoriesOf } from '../../testing/clients/album.ts';
import { addMemory, completeUpload, putPhoto } from '../../testing/data/factories.ts';
import {
  emailRepliesTo,
  ingestEmails,
  newPhoto,
  sendEmail,
  signUpEmailOwner,
} from '../../testing/data/inbound-email.ts';
import { exportZips, importZip } from '../../testing/clients/imports.ts';
import { repliesTo, signUpSmsOwner, startSmsServer } from '../../testing/data/inbound-sms.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { readPdf } from '../../testing/assertions/read-pdf.ts';
import { createSlowDecoder } from '../../testing/timing/slow-decoder.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { startTwilioServer } from '../../testing/fakes/twilio-server.ts';

const RESPONSE = {
  code: 'decode-timeout',
  message: 'This photo took too long to read. You can try again in ten minutes.',
};

let decoder: ReturnType<typeof createSlowDecoder>;
beforeEach(() => {
  decoder = createSlowDecoder();
});

const startServer = () => startTestServer({ overrides: { startDecoderProcess: decoder.start } });

describe('a photo that takes too long to decode', () => {
  it('is answered with 503 for ten minutes, and becomes a memory later', async () => {
    const server = await startServer();
    const owner = await server.signUp();
    const uploadURL = await putPhoto(owner, await makePhoto());
    const slow = await completeUpload(owner, { uploadURL });
    expect([slow.status, slow.headers.get('Retry-After'), slow.body]).toEqual([503, '600', RESPONSE]);
    decoder.isSlow = false;
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });

  it('is not rendered a second time for whoever asks again', async () => {
    const server = await startServer();
    decoder.isSlow = false;
    const owner = await server.signUp();
    const { imageUrl } = await addMemory(owner);
    decoder.isSlow = true;
    decoder.decodes = 0;
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await owner.get(`${imageUrl}?w=800`);
      expect([status, headers.get('Retry-After')]).toEqual([503, '600']);
    }
    expect(decoder.decodes).toBe(1);
  });

  it('gets its variants by a job that ends after a few attempts', async () => {
    const server = await startServer();
    decoder.isSlow = false;
    const owner = await server.signUp();
    await addMemory(owner);
    decoder.isSlow = true;
    decoder.decodes = 0;
    await server.drainJobs();
    // The attempts ended. Within ten minutes they ask the decoder once.
    expect(decoder.decodes).toBe(1);
  });

  it('by email is tried a few times, beside which the others are added at once', async () => {
    const [slow, quick] = [await newPhoto(), await newPhoto()];
    decoder = createSlowDecoder((bytes) => slow.bytes.equals(bytes));
    const server = await startServer();
    const owner = await signUpEmailOwner(server);
    await sendEmail(server, owner, { subject: 'Beach', photos: [slow, quick] });
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(await emailRepliesTo(server, owner.email)).toEqual([]);
    await ingestEmails(server);
    const [reply] = await emailRepliesTo(server, owner.email);
    expect(reply?.text).toContain(
      '1 photo could not be added: This photo took too long to read. Please send a smaller copy of it.',
    );
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('of an import is tried a few times, and then counted as unreadable', async () => {
    const server = await startServer();
    decoder.isSlow = false;
    const owner = await server.signUp();
    await addMemory(owner);
    await server.drainJobs();
    const [zip = Buffer.alloc(0)] = await exportZips(server, owner);
    decoder.isSlow = true;
    decoder.decodes = 0;
    const target = await server.signUp();
    expect(await importZip(server, target, zip)).toMatchObject({
      status: 'completed',
      added: 0,
      unreadable: 1,
    });
    expect(decoder.decodes).toBe(MAX_DECODE_ATTEMPTS);
  });

  it('of a PDF is tried a few times, and then left out', async () => {
    const server = await startServer();
    decoder.isSlow = false;
    const owner = await server.signUp();
    const { id } = await addMemory(owner, { caption: 'At the beach' });
    await server.drainJobs();
    decoder.isSlow = true;
    const started = (await owner.post('/api/flipbooks/pdf', { memoryIds: [id] })).body as FlipbookPdf;
    await server.drainJobs();
    const made = (await owner.get(`/api/flipbooks/pdf/${started.id}`)).body as FlipbookPdf;
    expect(made.status).toBe('completed');
    const { pages, photos } = await readPdf((await owner.get(made.url ?? '')).bytes);
    expect([pages.some(({ text }) => text.includes('At the beach')), photos]).toEqual([true, []]);
  });

  it('by SMS is tried a few times, and then its sender is told', async () => {
    const twilio = await startTwilioServer();
    const server = await startSmsServer(twilio, { overrides: { startDecoderProcess: decoder.start } });
    const owner = await signUpSmsOwner(server, twilio);
    await owner.sendSmsAndWait({ media: owner.photos(1) });
    expect(repliesTo(twilio, owner.phone)).toEqual([
      'Your photo was not added. This photo took too long to read. Please send a smaller copy of it.',
    ]);
    expect(decoder.decodes).toBe(MAX_DECODE_ATTEMPTS);
  });
});
