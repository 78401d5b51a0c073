import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { DEMO_MEMORIES } from '../../server/demo/demo-memories.ts';
import { readDemoPhoto } from '../../server/demo/demo-photos.ts';
import { copyOfPhoto } from '../../server/testing/photos/photos.ts';
import { createAlbumClient } from '../environment/album-client.ts';
import { signUp } from '../environment/sign-up.ts';
import type { Environment } from '../environment/start-environment.ts';
import { formatRatio, markdownTable } from '../markdown-table.ts';
import { median } from './statistics.ts';

const WARM_UP_ROUNDS = 3;
const TILE_WIDTH = 400;
const WIDTHS = [200, 400, 800, 1600];
/** Between rounds, so that no other work of the app is measured. */
const PAUSE_MS = 300;

const LOAD = { photos: 200, connections: 6 };
const LIST_INTERVAL_MS = 100;

/** Milliseconds of one round. */
type Round = {
  /** sharp in this process: the photo decoded and encoded as an upright WebP of `TILE_WIDTH`. */
  sharp: number;
  /** URL, PUT and completion. */
  upload: number;
  complete: number;
  /** From the completion's start until the tile was received. */
  tile: number;
};

type Load = { photosPerSecond: number; listMs: number };

export type UploadResult = { megabytes: number; rounds: Round[]; load: Load };

/** Uploads a photo as phones take it, compared to what sharp alone needs for it; then many at once. */
export async function measureUpload(environment: Environment, rounds: number): Promise<UploadResult> {
  const { app, data } = environment;
  const photo = await makePhonePhoto();
  const { cookie } = await signUp(app, 'uploads');
  const client = createAlbumClient(app, cookie);
  sharp.cache(false);

  async function round(): Promise<Round> {
    const copy = copyOfPhoto(photo);
    const start = performance.now();
    const uploadURL = await client.requestUpload(copy);
    await client.putPhoto(uploadURL, copy);
    const put = performance.now();
    const { imageUrl } = await client.completeUpload(uploadURL);
    const completed = performance.now();
    await (await client.call('GET', `${imageUrl}?w=${TILE_WIDTH}`)).arrayBuffer();
    const shown = performance.now();
    for (const width of WIDTHS) await (await client.call('GET', `${imageUrl}?w=${width}`)).arrayBuffer();
    await delay(PAUSE_MS);
    const sharpStart = performance.now();
    await sharp(photo).autoOrient().resize({ width: TILE_WIDTH }).webp().toBuffer();
    return {
      sharp: performance.now() - sharpStart,
      upload: completed - start,
      complete: completed - put,
      tile: shown - put,
    };
  }

  for (let n = 0; n < WARM_UP_ROUNDS; n++) await round();
  const measured: Round[] = [];
  for (let n = 0; n < rounds; n++) measured.push(await round());
  const reader = createAlbumClient(app, data.cookie);
  return {
    megabytes: photo.length / 1e6,
    rounds: measured,
    load: await measureLoad(
      () => client.addPhoto(copyOfPhoto(photo)),
      () => reader.call('GET', '/api/memories?limit=100'),
    ),
  };
}

/** Adds photos over several connections, while another user lists memories. */
export async function measureLoad(
  addPhoto: () => Promise<unknown>,
  list: () => Promise<Response>,
): Promise<Load> {
  let started = 0;
  let isOver = false;
  const listMs: number[] = [];
  const start = performance.now();
  const adding = Promise.all(
    Array.from({ length: LOAD.connections }, async () => {
      while (started++ < LOAD.photos) await addPhoto();
    }),
  ).finally(() => (isOver = true));
  while (!isOver) {
    const asked = performance.now();
    await (await list()).arrayBuffer();
    listMs.push(performance.now() - asked);
    await delay(LIST_INTERVAL_MS);
  }
  await adding;
  const seconds = (performance.now() - start) / 1000;
  return { photosPerSecond: LOAD.photos / seconds, listMs: median(listMs) };
}

/** 12 megapixels and 3 MB: a photo of the demo, enlarged and with the noise of a camera. */
export async function makePhonePhoto(): Promise<Buffer> {
  const [demo] = DEMO_MEMORIES;
  if (!demo) throw new Error('There is no photo to upload');
  const size = { width: 4000, height: 3000 };
  const noise = await sharp({
    create: { ...size, channels: 3, background: 'gray', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(await readDemoPhoto(demo.photo))
    .resize({ ...size, fit: 'cover' })
    .composite([{ input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 84 })
    .toBuffer();
}

const MAX_COMPLETE_RATIO = 1.5;
const MAX_TILE_RATIO = 2;
const MIN_PHOTOS_PER_SECOND = 2.5;
const MAX_LIST_MS = 50;

/** In Markdown. */
export function uploadTable({ megabytes, rounds, load }: UploadResult): string {
  const verdict = (isMet: boolean) => (isMet ? 'yes' : '**no**');
  const row = (name: string, figure: (round: Round) => number, maxRatio: number | null) => {
    const ratios = rounds.map((round) => figure(round) / round.sharp);
    const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
    return [
      name,
      `${median(rounds.map(figure)).toFixed(0)} ms`,
      `${median(rounds.map((round) => round.sharp)).toFixed(0)} ms`,
      formatRatio(ratio),
      maxRatio === null ? '' : `${maxRatio.toFixed(1)}: ${verdict(ratio.median <= maxRatio)}`,
    ];
  };
  const alone = markdownTable(
    [`a JPEG of 12 megapixels, ${megabytes.toFixed(1)} MB`, 'app', 'sharp alone', 'app / sharp', 'target'],
    [
      row('URL, PUT and completion', (round) => round.upload, null),
      row('completion', (round) => round.complete, MAX_COMPLETE_RATIO),
      row(`completion until its tile of ${TILE_WIDTH} px`, (round) => round.tile, MAX_TILE_RATIO),
    ],
  );
  const many = markdownTable(
    [`${LOAD.photos} of them over ${LOAD.connections} connections`, 'measured', 'target'],
    [
      [
        'photos a second',
        `**${load.photosPerSecond.toFixed(1)}**`,
        `${MIN_PHOTOS_PER_SECOND}: ${verdict(load.photosPerSecond >= MIN_PHOTOS_PER_SECOND)}`,
      ],
      [
        'list of 100 in the meantime, median',
        `**${load.listMs.toFixed(0)} ms**`,
        `${MAX_LIST_MS}: ${verdict(load.listMs <= MAX_LIST_MS)}`,
      ],
    ],
  );
  return `${alone}\n\n${many}`;
}
