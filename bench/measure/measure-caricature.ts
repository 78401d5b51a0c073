import { setTimeout as delay } from 'node:timers/promises';
import { loadDemoPhotos } from '../data/demo-photos.ts';
import { createAlbumClient } from '../environment/album-client.ts';
import { signUp } from '../environment/sign-up.ts';
import type { Environment } from '../environment/start-environment.ts';
import { formatRatio, markdownTable, toRatio } from '../markdown-table.ts';
import { median } from './statistics.ts';

const WARM_UP_ROUNDS = 2;
const POLLING_INTERVAL_MS = 50;

/** Milliseconds of one round. */
export type CaricatureRound = {
  /** From the request for a caricature to its response, which does not wait for the caricature. */
  response: number;
  /** A like, the app's smallest write. */
  like: number;
};

/** Requests caricatures one after another, each compared to a like. */
export async function measureCaricature({ app }: Environment, rounds: number): Promise<CaricatureRound[]> {
  const { cookie } = await signUp(app, 'caricatures');
  const { call, addPhoto } = createAlbumClient(app, cookie);
  const [photo] = await loadDemoPhotos();
  if (!photo) throw new Error('There is no photo for a caricature');
  const { id, imageUrl } = await addPhoto(photo.bytes);
  const created = await call('POST', '/api/pets', { name: 'Rex', species: 'dog' });
  const pet = (await created.json()) as { id: string };
  await call('POST', '/api/caricatures/consent');

  async function untilCompleted(): Promise<void> {
    for (;;) {
      const response = await call('GET', '/api/caricatures?limit=1');
      const [newest] = (await response.json()) as { status: string }[];
      if (newest?.status === 'completed') return;
      if (newest?.status === 'failed') throw new Error('The caricature failed');
      await delay(POLLING_INTERVAL_MS);
    }
  }

  async function round(number: number): Promise<CaricatureRound> {
    const start = performance.now();
    await call('PATCH', `/api/memories/${id}`, { isLiked: number % 2 === 0 });
    const liked = performance.now();
    await (await call('POST', '/api/caricatures/generate', { petId: pet.id, imageUrl })).arrayBuffer();
    const response = performance.now() - liked;
    await untilCompleted();
    return { response, like: liked - start };
  }

  for (let n = 0; n < WARM_UP_ROUNDS; n++) await round(n);
  const measured: CaricatureRound[] = [];
  for (let n = 0; n < rounds; n++) measured.push(await round(n));
  return measured;
}

/** In Markdown. */
export function caricatureTable(rounds: CaricatureRound[]): string {
  const ms = (values: number[]) => `${median(values).toFixed(1)} ms`;
  return markdownTable(
    ['a caricature', 'caricature', 'like', 'caricature / like'],
    [
      [
        'response to its request, compared to a like',
        ms(rounds.map(({ response }) => response)),
        ms(rounds.map(({ like }) => like)),
        formatRatio(toRatio(rounds.map(({ response, like }) => response / like))),
      ],
    ],
  );
}
